import "./style.css";
import { App } from "./app";
import { EmbeddedSource } from "./data/embedded";
import { parseMetrics } from "./data/metrics";
import type { RunInfo } from "./data/model";
import { HttpSource, type DataSource } from "./data/source";
import { Layout, showFailure } from "./ui/layout";

function titleOf(run: RunInfo): string {
  const scene = run.scene;
  const nested = typeof scene === "object" && scene !== null ? (scene as RunInfo).title : undefined;
  for (const candidate of [run.title, nested, run.name, scene]) {
    if (typeof candidate === "string" && candidate !== "") {
      return candidate.split("/").at(-1)?.replace(/\.json$/, "") ?? candidate;
    }
  }
  return "Heddle";
}

async function start(): Promise<void> {
  const root = document.body.appendChild(document.createElement("div"));
  try {
    const source: DataSource = EmbeddedSource.isPresent() ? new EmbeddedSource() : new HttpSource();
    const [model, list, run, metrics] = await Promise.all([
      source.model(),
      source.frames(),
      source.run().catch((): RunInfo => ({})),
      source.metrics().catch(() => ""),
    ]);
    const layout = new Layout(root);
    layout.setTitle(titleOf(run));
    const app = new App(source, model, list, layout);
    layout.panel.plot.setMetrics(parseMetrics(metrics));
    if (source.canGrow) app.startPolling();
  } catch (error) {
    showFailure(root, error instanceof Error ? error.message : String(error));
  }
}

void start();
