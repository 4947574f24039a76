import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

// `vite build --mode play` makes dist/play.html, `--mode report` dist/report.html: a page that is
// one file cannot share chunks with another, so that each is a build of its own.
export default defineConfig(({ mode }) => ({
  plugins: [viteSingleFile()],
  build: {
    target: "es2022",
    emptyOutDir: false,
    rolldownOptions: { input: `${mode}.html` },
  },
}));
