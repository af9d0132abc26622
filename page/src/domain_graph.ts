// Domains and how they touch, as a picture: the root at the left, rings in red.
import type { CutDomain, CutLink } from "./protocol";

const SVG = "http://www.w3.org/2000/svg";
const NOBODY = 0xffffffff;

function shape(kind: string, attributes: Record<string, string | number>, text = ""): SVGElement {
  const made = document.createElementNS(SVG, kind);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  if (text) made.textContent = text;
  return made;
}

/** Levels from the root, or from the largest domain when there is none. */
function levels(domains: CutDomain[], links: CutLink[]): number[] {
  const level: number[] = domains.map((domain) => (domain.elements > 0 ? -1 : -2));
  const tree = domains.some((domain) => domain.elements > 0 && domain.parent !== NOBODY);
  const size = (d: number) => (tree && domains[d].parent === NOBODY ? 1e12 : 0) + domains[d].elements;
  for (;;) {
    const rest = level.flatMap((l, d) => (l === -1 ? [d] : []));
    if (rest.length === 0) return level;
    const queue = [rest.reduce((a, b) => (size(b) > size(a) ? b : a))];
    level[queue[0]] = 0;
    for (const d of queue)
      for (const { a, b } of links) {
        const other = a === d ? b : b === d ? a : -1;
        if (other < 0 || level[other] !== -1) continue;
        level[other] = level[d] + 1;
        queue.push(other);
      }
  }
}

/** Draws into `svg`; `choose` is called with the number of a domain that is clicked. */
export function drawGraph(svg: SVGSVGElement, domains: CutDomain[], links: CutLink[], colour: (d: number) => string, chosen: number, choose: (d: number) => void): void {
  const level = levels(domains, links);
  const columns: number[][] = [];
  // children beside their neighbours: by the mean row of those before
  const row: number[] = [];
  for (let l = 0; l <= Math.max(0, ...level); l++) {
    const here = level.flatMap((one, d) => (one === l ? [d] : []));
    const pull = (d: number) => {
      const before = links.flatMap(({ a, b }) => (a === d && level[b] === l - 1 ? [row[b]] : b === d && level[a] === l - 1 ? [row[a]] : []));
      return before.length > 0 ? before.reduce((x, y) => x + y, 0) / before.length : 0;
    };
    here.sort((a, b) => pull(a) - pull(b) || a - b);
    here.forEach((d, i) => (row[d] = (i + 0.5) / here.length));
    columns.push(here);
  }
  const most = Math.max(1, ...columns.map((column) => column.length));
  const width = 272, height = Math.min(210, Math.max(76, 30 * most + 18));
  const few = domains.length <= 14;
  const radius = few ? 8 : 5;
  const place = (d: number): [number, number] => [
    columns.length === 1 ? width / 2 : 26 + ((width - 52) * level[d]) / (columns.length - 1), 8 + (height - 22) * row[d]];
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("height", String(height));
  const parts: SVGElement[] = [];
  const broadest = Math.max(1e-30, ...links.map((link) => link.area));
  for (const { a, b, area, patches } of links) {
    const [x1, y1] = place(a), [x2, y2] = place(b);
    const ring = domains[a].ring > 0 && domains[a].ring === domains[b].ring;
    // two of one column meet in an arc
    const bend = level[a] === level[b] ? 26 : 0;
    const line = shape("path", {
      d: `M${x1} ${y1} Q${(x1 + x2) / 2 + bend} ${(y1 + y2) / 2} ${x2} ${y2}`, fill: "none", stroke: ring ? "#b3261e" : "#7b8794",
      "stroke-width": 1 + 3 * Math.sqrt(area / broadest), class: ring ? "ring" : "link", ...(patches > 1 ? { "stroke-dasharray": "4 3" } : {}),
    });
    line.append(shape("title", {}, `${domains[a].name} – ${domains[b].name}: ${Number(area.toPrecision(3))} m²${patches > 1 ? `, in ${patches} places` : ""}`));
    parts.push(line);
  }
  domains.forEach((domain, d) => {
    if (domain.elements === 0) return;
    const [x, y] = place(d);
    const node = shape("g", { class: "node", "data-domain": d, style: "cursor:pointer" });
    const root = domain.parent === NOBODY && domain.level === 0 && domains.some((one) => one.parent !== NOBODY);
    if (d === chosen) node.append(shape("circle", { cx: x, cy: y, r: radius + 4, fill: "#1d6f9633" }));
    if (root) node.append(shape("circle", { cx: x, cy: y, r: radius + 2.5, fill: "none", stroke: "#1f2933", "stroke-width": 1 }));
    node.append(shape("circle", { cx: x, cy: y, r: radius, fill: colour(d), stroke: domain.faults ? "#b3261e" : "#1f2933", "stroke-width": domain.faults ? 2.5 : 0.8 }),
      shape("title", {}, `${domain.name}: ${domain.elements} elements${root ? ", the root" : ""}`));
    if (few) node.append(shape("text", { x, y: y + radius + 10, "text-anchor": "middle", "font-size": 9, fill: "#1f2933" }, domain.name.length > 11 ? `${domain.name.slice(0, 10)}…` : domain.name));
    node.addEventListener("click", () => choose(d));
    parts.push(node);
  });
  svg.replaceChildren(...parts);
}
