import { defineConfig, type Plugin } from "vite";

/** Moves the bundle and the style sheet into the page, so that it is one file that also opens from disk. */
function singleFile(): Plugin {
  return {
    name: "heddle-single-file",
    enforce: "post",
    generateBundle(_options, bundle) {
      const page = bundle["index.html"];
      if (!page || page.type !== "asset") return;
      let html = String(page.source);
      for (const [name, item] of Object.entries(bundle)) {
        if (item.type === "chunk") {
          const code = item.code.replaceAll("</script", "<\\/script");
          html = html.replace(/<script type="module"[^>]*src="[^"]*"[^>]*><\/script>/, "");
          html = html.replace("<!--heddle-script-->", () => `<script type="module">${code}</script>`);
          delete bundle[name];
        } else if (name.endsWith(".css")) {
          html = html.replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${item.source}</style>`);
          delete bundle[name];
        }
      }
      page.source = html;
    },
  };
}

export default defineConfig({
  plugins: [singleFile()],
  build: {
    target: "es2022",
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    cssCodeSplit: false,
    modulePreload: false,
    chunkSizeWarningLimit: 2000,
    reportCompressedSize: false,
  },
  // `npm run dev` shows the run that `heddle view DIR` serves.
  server: {
    proxy: {
      "/api": { target: "http://localhost:8080", changeOrigin: true },
      "/live": { target: "ws://localhost:8080", ws: true, changeOrigin: true, rewriteWsOrigin: true },
    },
  },
  test: { include: ["tests/*.test.ts"] },
} as Parameters<typeof defineConfig>[0]);
