// `awale report`, the executable named by AWALE, on small runs that it trains first, in Chromium.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import { launch } from "./support.mjs";

const iterations = 8;
const config = `\
[run]
seed = 3
iterations = ${iterations}
save_every = 2
keep_every = 2
[network]
blocks = 1
width = 16
[search]
simulations = 4
[self_play]
games = 64
group_games = 16
plies_per_iteration = 25
[learner]
batch_rows = 64
warmup_rows = 200
window_rows = 3000
window_first_rows = 500
validation_share = 0.2
validation_rows = 64
[evaluation]
opponents = ["random"]
games = 20
simulations = 2
[grading]
opponents = ["minimax:1", "minimax:2"]
games = 10
positions = 100
simulations = 4
`;

const sections = [
  "Run a",
  "Strength",
  "Learning",
  "Games",
  "Throughput",
  "Calibration",
  "Final evaluation",
  "Game viewer",
];

const folder = mkdtempSync(join(tmpdir(), "awale-report-"));
const file = (name) => join(folder, name);
const awale = (...args) => execFileSync(process.env.AWALE, args, { cwd: folder, encoding: "utf8" });

const faults = [];
const contexts = [];
let browser;

before(async () => {
  assert.ok(process.env.AWALE, "AWALE names no program");
  writeFileSync(file("config.toml"), config);
  const train = ["train", "--config", file("config.toml")];
  awale(...train, "--run", "a");
  awale(...train, "--run", "b", "--run.seed", "4", "--network.width", "32");
  awale(
    ...train,
    "--run",
    "short",
    "--run.iterations",
    "1",
    "--evaluation.games",
    "0",
    "--grading.games",
    "0",
    "--grading.positions",
    "0",
  );
  awale("match", "random", "random", "--games", "2", "--log", "games.ogn");
  awale("report", "a", "--out", "a.html");
  awale("report", "a", "b", "--out", "both.html");
  awale("report", "short", "--out", "short.html");
  awale("report", "games.ogn", "--out", "games.html");
  browser = await launch();
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

// Whatever a page has said against itself, or asked of the network, fails its test.
afterEach(async () => {
  await Promise.all(contexts.splice(0).map((context) => context.close()));
  assert.deepEqual(faults.splice(0), []);
});

async function open(name, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: "reduce",
    ...options,
  });
  contexts.push(context);
  const page = await context.newPage();
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => faults.push(message.text()));
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) faults.push(request.url());
  });
  await page.goto(pathToFileURL(file(name)).href);
  await page.getByRole("heading", { level: 1 }).waitFor();
  return page;
}

async function figure(page, title) {
  const found = page.locator("figure", {
    has: page.getByRole("heading", { name: title, exact: true }),
  });
  await found.scrollIntoViewIfNeeded();
  await found.locator(".drawing svg").waitFor();
  return found;
}

async function table(found) {
  const details = found.locator("details");
  if (!(await details.evaluate((element) => element.open)))
    await details.locator("summary").click();
  await found.locator("tbody tr").first().waitFor();
  return found
    .locator("tr")
    .evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
}

async function saved(page, found, kind) {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    found.getByRole("button", { name: kind }).click(),
  ]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8") };
}

const csv = async (page, found) =>
  (await saved(page, found, "CSV")).text
    .trimEnd()
    .split("\n")
    .map((line) => line.split(","));

const metrics = (run) =>
  readFileSync(file(`${run}/metrics.jsonl`), "utf8")
    .trimEnd()
    .split("\n")
    .map((l) => JSON.parse(l));

const lossesOf = (line) => [
  line.total_games,
  line.loss_policy,
  line.validation?.loss_policy ?? null,
  line.policy_target_entropy,
];

function assertNumbers(cells, expected, tolerance) {
  assert.equal(cells.length, expected.length);
  expected.forEach((number, i) => {
    if (number === null) return assert.equal(cells[i], "");
    assert.notEqual(cells[i], "");
    const error = Math.abs(Number(cells[i]) - number);
    assert.ok(error <= tolerance * Math.abs(number), `${cells[i]} is not ${number}`);
  });
}

const heads = ["total_games", "loss_policy", "validation/loss_policy", "policy_target_entropy"];

test("every section is there, and no chart is empty", async () => {
  const page = await open("a.html");
  const titles = await page.getByRole("heading", { level: 2 }).allTextContents();
  assert.deepEqual(titles, sections);
  assert.equal(await page.locator(".missing").count(), 0);
  for (const title of await page.locator("#learning figure h3").allTextContents()) {
    const found = await figure(page, title);
    assert.ok((await found.locator("svg path, svg circle").count()) > 0, title);
  }
  assert.ok(statSync(file("short.html")).size < 700_000, "the page itself is under 700 kB");
});

test("a table has the numbers of metrics.jsonl", async () => {
  const page = await open("a.html");
  const [head, ...rows] = await table(await figure(page, "Policy loss"));
  assert.deepEqual(head, heads);
  const lines = metrics("a");
  assert.ok(
    lines.some((line) => line.validation),
    "the run has validation losses",
  );
  assert.equal(rows.length, iterations);
  rows.forEach((row, i) => assertNumbers(row, lossesOf(lines[i]), 1e-5));
});

test("a CSV has all digits of them", async () => {
  const page = await open("a.html");
  const [head, ...rows] = await csv(page, await figure(page, "Policy loss"));
  assert.deepEqual(head, heads);
  assert.equal(rows.length, iterations);
  metrics("a").forEach((line, i) => assertNumbers(rows[i], lossesOf(line), 1e-6));
});

test("an SVG stands for itself, with a legend", async () => {
  const page = await open("a.html", { colorScheme: "dark" });
  const { name, text } = await saved(page, await figure(page, "Policy loss"), "SVG");
  assert.equal(name, "policy-loss.svg");
  assert.match(text, /^<svg[^>]* xmlns=/);
  for (const label of ["training", "validation", "target entropy"])
    assert.match(text, RegExp(label));
  assert.doesNotMatch(text.replace(/<style>.*?<\/style>/gs, ""), /var\(|currentColor/);
});

test("an entry of the legend takes its curve away and brings it back", async () => {
  const page = await open("a.html");
  const found = await figure(page, "Policy loss");
  const entry = found.getByRole("button", { name: "validation" });
  const curves = () => found.locator(".drawing svg path[stroke-dasharray], .drawing svg g").count();
  const all = await curves();
  await entry.click();
  assert.equal(await entry.getAttribute("aria-pressed"), "false");
  assert.ok((await curves()) < all);
  assert.deepEqual(
    (await csv(page, found))[0],
    heads.filter((head) => !/validation/.test(head)),
  );
  await entry.click();
  assert.equal(await curves(), all);
  assert.deepEqual((await csv(page, found))[0], heads);
});

test("one choice changes the x axis of all charts", async () => {
  const page = await open("a.html");
  const lines = metrics("a");
  const axes = {
    iterations: ["iteration", (line) => line.iteration],
    minutes: ["minutes", (line) => line.run_seconds / 60],
    "core-minutes": ["core_minutes", (line) => line.run_core_seconds / 60],
    games: ["total_games", (line) => line.total_games],
  };
  for (const [label, [head, of]] of Object.entries(axes)) {
    await page.getByRole("radio", { name: label, exact: true }).check();
    for (const title of ["Policy loss", "Games a second"]) {
      const found = await figure(page, title);
      assert.match(await found.locator(".drawing").textContent(), RegExp(label));
      const [heads, ...rows] = await csv(page, found);
      assert.equal(heads[0], head);
      rows.forEach(([x], i) => assertNumbers([x], [of(lines[i])], 1e-6));
    }
    const [graded] = await csv(page, await figure(page, "Points"));
    assert.equal(graded[0], head);
  }
});

test("smoothing is off until it is asked for", async () => {
  const page = await open("a.html");
  const found = await figure(page, "Policy entropy");
  assert.deepEqual((await csv(page, found))[0], ["total_games", "policy_entropy"]);
  await page.getByLabel("Smoothing").selectOption("5");
  const [head, ...rows] = await csv(page, found);
  assert.deepEqual(head, ["total_games", "policy_entropy", "policy_entropy_mean_of_5"]);
  const raw = rows.map((row) => row[1]);
  // Where no game has ended there is no entropy, and no mean of those around.
  const middle = raw.findIndex((cell, i) => i >= 2 && cell !== "");
  const around = raw
    .slice(middle - 2, middle + 3)
    .filter((cell) => cell !== "")
    .map(Number);
  const mean = around.reduce((sum, value) => sum + value, 0) / around.length;
  assertNumbers([rows[middle][2]], [mean], 1e-9);
});

test("grades have the intervals of grades.jsonl, and Wilson's", async () => {
  const page = await open("a.html");
  const grades = readFileSync(file("a/grades.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const [head, ...points] = await csv(page, await figure(page, "Points"));
  assert.deepEqual(
    head.slice(1, 4),
    ["", "_low", "_high"].map((end) => `minimax:1/points_percent${end}`),
  );
  assert.equal(points.length, grades.length);
  grades.forEach(({ matches: [match] }, i) =>
    assertNumbers(
      points[i].slice(1, 4),
      [match.points_percent, match.points_percent_low, match.points_percent_high],
      1e-6,
    ),
  );
  const [, ...lost] = await csv(page, await figure(page, "Results lost"));
  grades.forEach(({ truth: { at_stake: n, network_lost: p } }, i) => {
    const [share, low, high] = lost[i].slice(1, 4).map((cell) => Number(cell) / 100);
    assert.ok(Math.abs(share - p) < 1e-6);
    // The bounds are where the share lies 1.96 standard deviations away.
    for (const bound of [low, high]) {
      if (bound === p) continue;
      const away = Math.abs(p - bound) / Math.sqrt((bound * (1 - bound)) / n);
      assert.ok(Math.abs(away - 1.96) < 0.001, `${away}`);
    }
  });
});

test("two runs stand side by side", async () => {
  const page = await open("both.html");
  const facts = await page
    .locator("#summary table")
    .first()
    .locator("tr")
    .evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
  assert.deepEqual(facts[0], ["", "a", "b"]);
  const games = facts.find(([label]) => label === "games");
  assert.deepEqual(
    games.slice(1).map((text) => Number(text.replaceAll(",", ""))),
    ["a", "b"].map((run) => metrics(run).at(-1).total_games),
  );
  const differences = page.getByRole("region", { name: "Where the configs differ" });
  assert.deepEqual(
    await differences
      .locator("tbody tr")
      .evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent))),
    [
      ["run.seed", "3", "4"],
      ["network.width", "16", "32"],
    ],
  );

  const found = await figure(page, "Policy loss");
  const runsOf = async () => new Set((await csv(page, found)).slice(1).map(([run]) => run));
  assert.deepEqual(await runsOf(), new Set(["a", "b"]));
  await page.locator(".controls").getByRole("button", { name: "a", exact: true }).click();
  assert.deepEqual(await runsOf(), new Set(["b"]));
});

test("a run of one iteration without grades says what is not there", async () => {
  const page = await open("short.html");
  assert.match(await page.locator("#strength .missing").textContent(), /graded/);
  assert.match(await page.locator("#evaluation .missing").textContent(), /no final evaluation/);
  const found = await figure(page, "Simulations");
  assert.ok((await found.locator("svg circle").count()) > 0, "its only point is seen");
});

test("the final evaluation is that of evaluation.json", async () => {
  const page = await open("a.html");
  const [{ opponent, trained }] = JSON.parse(readFileSync(file("a/evaluation.json"), "utf8"));
  const row = page.locator("#evaluation tr.trained");
  const text = await row.locator("th, td").allTextContents();
  assert.equal(text[0], opponent);
  assert.match(text[2], RegExp(`^${Math.round(trained.points_percent)}(\\.\\d)? % \\[`));
  assert.equal(text[4], `${trained.wins}, ${trained.draws}, ${trained.losses}`);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.locator("#evaluation").getByRole("button", { name: "CSV" }).click(),
  ]);
  const [head, ...rows] = readFileSync(await download.path(), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => line.split(","));
  const last = Object.fromEntries(head.map((name, i) => [name, rows.at(-1)[i]]));
  assert.equal(last.agent, "trained");
  assert.equal(Number(last.points_percent_low), trained.points_percent_low);
});

const countsOf = async (page) => {
  const pits = await page
    .locator(".pit")
    .evaluateAll((all) =>
      all.map((pit) => [
        pit.querySelector(".letter").textContent,
        pit.querySelector(".count").textContent,
      ]),
    );
  const counts = Object.fromEntries(pits);
  return [..."ABCDEFabcdef"].map((letter) => Number(counts[letter]));
};

test("games alone: steps lead to the end of an OGN game", async () => {
  const page = await open("games.html");
  assert.deepEqual(await page.getByRole("heading", { level: 2 }).allTextContents(), [
    "Game viewer",
  ]);
  awale("convert", "games.ogn", "games.txt");
  const texts = readFileSync(file("games.txt"), "utf8")
    .split("\n")
    .filter((line) => /^\w/.test(line));
  const results = [
    ...readFileSync(file("games.ogn"), "utf8").matchAll(/\[Result "([\d.]+)-([\d.]+)"\]/g),
  ];
  assert.equal(await page.locator(".games li").count(), 2);

  for (const index of [0, 1]) {
    await page.locator(".games button").nth(index).click();
    const moves = texts[index].replace(/^.*moves /, "").trim();
    const at = (ply) =>
      page.waitForFunction(
        (text) => document.querySelector(".steps output").textContent === text,
        `${ply} / ${moves.length}`,
      );
    await at(0);
    await page.locator(".game").focus();
    await page.keyboard.press("ArrowRight");
    await at(1);
    await page.getByRole("button", { name: "One ply on", exact: true }).click();
    await at(2);
    await page.keyboard.press("ArrowLeft");
    await at(1);
    const shown = awale("show", "start", moves.slice(0, 1));
    const position = /position\s+([\d-]+)/.exec(shown)[1].split("-").slice(0, 12).map(Number);
    assert.deepEqual(await countsOf(page), position);
    for (let ply = 2; index === 0 && ply <= moves.length; ++ply) {
      await page.keyboard.press("ArrowRight");
      await at(ply);
    }
    await page.keyboard.press("End");
    await at(moves.length);
    assert.match(
      await page.locator(".words").textContent(),
      RegExp(`${moves.length}\\. ${moves.at(-1)}:`),
    );
    const [, south, north] = results[index];
    assert.match(
      await page.locator(".score").textContent(),
      RegExp(`^South ${south}, North ${north}\\.`),
    );
    const pits = await countsOf(page);
    const stores = await page.locator(".store .count").allTextContents();
    const seeds = [...pits, ...stores.map(Number)].reduce((sum, count) => sum + count, 0);
    assert.equal(seeds, 48);
    await page.keyboard.press("Home");
    await at(0);
    assert.deepEqual(await countsOf(page), Array(12).fill(4));
  }
});

test("the search's charts follow the ply, and values are South's", async () => {
  const page = await open("a.html");
  await page.locator("#viewer").scrollIntoViewIfNeeded();
  await page.locator(".game").waitFor();
  const data = JSON.parse(await page.locator("#awale-data").textContent());
  const [{ searches, game }] = data.games;
  const [, ...values] = await csv(page, await figure(page, "Value"));
  assert.equal(values.length, searches.length);
  values.forEach(([ply, value], i) => {
    assert.equal(Number(ply), i);
    const north = /[a-f]/.test(game.moves[i]);
    assertNumbers([value], [searches[i] && (north ? -1 : 1) * searches[i].value], 1e-9);
  });
  const ply = searches.findLastIndex(Boolean);
  await page.getByRole("slider", { name: "Ply" }).fill(String(ply));
  const [, ...pits] = await csv(page, await figure(page, "Prior and visits"));
  const sum = searches[ply].visits.reduce((total, visits) => total + (visits ?? 0), 0);
  pits.forEach(([, , visits], i) => {
    const own = searches[ply].visits[i];
    assertNumbers([visits], [own === null ? null : (100 * own) / sum], 1e-9);
  });
});

// Figures and tables of a page, all of them in sight once.
async function unfold(page) {
  for (const title of await page.locator("figure h3").allTextContents()) await figure(page, title);
  await page.locator("#viewer").scrollIntoViewIfNeeded();
  await page.locator(".game").waitFor();
  for (const summary of await page.locator("summary").all()) await summary.click();
}

for (const [name, colorScheme] of [
  ["a.html", "light"],
  ["both.html", "dark"],
  ["games.html", "light"],
  ["games.html", "dark"],
]) {
  test(`accessibility of ${name}, ${colorScheme}`, async () => {
    const page = await open(name, { colorScheme });
    await unfold(page);
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate(() => window.axe.run(document));
    const grave = violations.filter(({ impact }) => /serious|critical/.test(impact));
    assert.deepEqual(
      grave.map(({ id, nodes }) => `${id}: ${nodes[0].html}`),
      [],
    );
  });
}

for (const name of ["a.html", "both.html", "games.html"]) {
  test(`a phone 360 px wide needs no scrolling sideways, ${name}`, async () => {
    const page = await open(name, { viewport: { width: 360, height: 740 } });
    await unfold(page);
    const wide = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.equal(wide, 0);
  });
}

test("paper has all charts and no controls", async () => {
  const page = await open("a.html");
  assert.ok(
    (await page.locator("figure .drawing svg").count()) < (await page.locator("figure").count()),
  );
  await page.pdf();
  const figures = await page.locator("figure").count();
  assert.equal(await page.locator("figure .drawing svg").count(), figures);
  await page.emulateMedia({ media: "print" });
  for (const part of [".bar", ".tools", ".steps"]) {
    assert.equal(await page.locator(part).first().isVisible(), false, part);
  }
  assert.equal(await page.locator("figure .drawing").first().isVisible(), true);
});
