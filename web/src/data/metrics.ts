/** The metrics table of a run: one row a step, grouped into plots by what the columns are about. */
export interface Column {
  name: string;
  values: Float64Array;
}

export interface Metrics {
  /** Seconds of simulated time, or the row number if the table has no time. */
  time: Float64Array;
  columns: Column[];
}

export interface PlotGroup {
  title: string;
  columns: Column[];
}

export function parseMetrics(csv: string): Metrics {
  const lines = csv.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
  const names = (lines[0] ?? "").split(",").map((name) => name.trim());
  const rows = lines.length > 1 ? lines.length - 1 : 0;
  const values = names.map(() => new Float64Array(rows));
  for (let r = 0; r < rows; r++) {
    const cells = lines[r + 1].split(",");
    for (let c = 0; c < names.length; c++) {
      const cell = cells[c]?.trim();
      values[c][r] = cell ? Number(cell) : NaN;
    }
  }
  const timeAt = names.findIndex((name) => /^(time|t)(_s)?$/i.test(name));
  const time = timeAt >= 0 ? values[timeAt] : Float64Array.from({ length: rows }, (_, r) => r);
  const columns = names
    .map((name, c) => ({ name, values: values[c] }))
    .filter(({ name, values: v }, c) => c !== timeAt && !/^(step|frame)$/i.test(name) && v.some(Number.isFinite));
  return { time, columns };
}

const kGroups: [string, RegExp][] = [
  ["Energy (J)", /energy/i],
  ["Green strain", /strain|stretch/i],
  ["Iterations", /iteration|row_product|newton|retr/i],
  ["Time per stage (s)", /^seconds_/i],
  ["Contacts", /contact|collision/i],
  ["Step", /^dt|_dt$|step/i],
];

export function plotGroups(metrics: Metrics): PlotGroup[] {
  const groups = new Map<string, Column[]>();
  for (const column of metrics.columns) {
    const title = kGroups.find(([, pattern]) => pattern.test(column.name))?.[0] ?? "Other";
    groups.set(title, [...(groups.get(title) ?? []), column]);
  }
  const order = [...kGroups.map(([title]) => title), "Other"];
  return order.filter((title) => groups.has(title)).map((title) => ({ title, columns: groups.get(title) ?? [] }));
}

/** The last row at or before `time`. */
export function rowAt(metrics: Metrics, time: number): number {
  let low = 0;
  let high = metrics.time.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (metrics.time[middle] <= time + 1e-9) low = middle;
    else high = middle - 1;
  }
  return low;
}
