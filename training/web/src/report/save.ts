// Files that a reader takes along.
import type { Chart, Shown } from "./chart";
import { draw } from "./draw";
import { entriesOf, swatch } from "./swatch";

export function download(name: string, type: string, content: string) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

export const fileName = (title: string, extension: string) =>
  `${title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")}.${extension}`;

const width = 640;
const lineHeight = 18;
const svgNamespace = "http://www.w3.org/2000/svg";

// Colours are the page's in light; a file of its own must say them itself.
function withOwnColours(svg: SVGElement) {
  for (const element of [svg, ...svg.querySelectorAll<SVGElement>("*")]) {
    for (const property of ["fill", "stroke"]) {
      if (/var\(|currentColor/.test(element.getAttribute(property) ?? "")) {
        element.setAttribute(property, getComputedStyle(element).getPropertyValue(property));
      }
    }
  }
}

// The chart on white, with a legend below, for a paper.
export function svgOf(chart: Chart, shown: Shown, height: number): string {
  const svg = draw({ ...chart, cursor: undefined }, shown, { width, height });
  const drawn = Number(svg.getAttribute("height"));
  const entries = entriesOf(chart, shown);
  const full = drawn + entries.length * lineHeight;
  svg.setAttribute("height", String(full));
  svg.setAttribute("viewBox", `0 0 ${width} ${full}`);
  entries.forEach((entry, i) => {
    const y = drawn + i * lineHeight;
    const key = swatch(entry);
    key.setAttribute("x", "48");
    key.setAttribute("y", String(y));
    const label = document.createElementNS(svgNamespace, "text");
    label.setAttribute("x", "86");
    label.setAttribute("y", String(y + 11));
    label.setAttribute("text-anchor", "start");
    label.setAttribute("fill", "currentColor");
    label.textContent = entry.label;
    svg.append(key, label);
  });

  const paper = document.createElement("div");
  paper.className = "paper";
  paper.append(svg);
  document.body.append(paper);
  withOwnColours(svg);
  paper.remove();
  return new XMLSerializer().serializeToString(svg);
}
