/** "frames 3 to 5, 9", or "" if the numbers run from 0 without a gap. */
export function missingFrames(present: number[]): string {
  const gaps: string[] = [];
  let next = 0;
  for (const index of present) {
    if (index > next) gaps.push(index - 1 === next ? `${next}` : `${next} to ${index - 1}`);
    next = index + 1;
  }
  if (gaps.length === 0) return "";
  return `${gaps.length === 1 && !gaps[0].includes("to") ? "frame" : "frames"} ${gaps.join(", ")}`;
}
