// Writes a file as a C++ source: node embed.mjs page.html web_page.cpp
import { readFileSync, writeFileSync } from "node:fs";

const [input, output] = process.argv.slice(2);
const bytes = readFileSync(input);

// Printable characters stay, the rest becomes octal with three digits, which cannot swallow a following digit.
// "?" is escaped because of trigraphs.
const escape = (byte) =>
  byte < 32 || byte > 126 || byte === 34 || byte === 63 || byte === 92
    ? "\\" + byte.toString(8).padStart(3, "0")
    : String.fromCharCode(byte);

const lines = [];
for (let i = 0; i < bytes.length; i += 4096) {
  lines.push('    "' + Array.from(bytes.subarray(i, i + 4096), escape).join("") + '"');
}
writeFileSync(
  output,
  `#include "server/web_page.h"

namespace heddle {
namespace {

constexpr char kPage[] =
${lines.join("\n")};

}  // namespace

std::string_view web_page() {
  return {kPage, sizeof kPage - 1};
}

bool has_web_viewer() {
  return true;
}

}  // namespace heddle
`,
);
