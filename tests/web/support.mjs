// The real program and a real browser: `awale serve` (the executable named by AWALE) and Chromium.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { after, afterEach, before } from "node:test";
import { chromium } from "playwright-core";

const patienceMs = 30_000;

// Starts the server; `url` ends in "/".
export async function serve(port = 0) {
  assert.ok(process.env.AWALE, "AWALE names no program");
  const server = spawn(process.env.AWALE, ["serve", "--port", String(port)]);
  let said = "";
  const url = await new Promise((resolve, reject) => {
    const listen = (text) => {
      said += text;
      const address = /http:\/\/127\.0\.0\.1:\d+\//.exec(said);
      if (address) resolve(address[0]);
    };
    server.stdout.on("data", listen);
    server.stderr.on("data", listen);
    server.on("error", reject);
    server.on("exit", (code) => reject(new Error(`awale serve: exit ${code}\n${said}`)));
  });
  const stop = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const exit = once(server, "exit");
    server.kill();
    await exit;
  };
  return { url, stop };
}

export const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--headless",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });

// A server and a browser for the tests of a file. `open` gives a page of a browser of its own (an
// own profile, that is); a page that has thrown fails its test.
export function useAwale() {
  const awale = {};
  const contexts = [];
  const faults = [];

  before(async () => {
    awale.server = await serve();
    awale.browser = await launch();
  });

  after(async () => {
    await awale.browser?.close();
    await awale.server?.stop();
  });

  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    assert.deepEqual(faults.splice(0), []);
  });

  awale.context = async (options = {}) => {
    const context = await awale.browser.newContext({
      viewport: { width: 1280, height: 900 },
      locale: "en-GB",
      reducedMotion: "reduce",
      ...options,
    });
    context.setDefaultTimeout(patienceMs);
    contexts.push(context);
    return context;
  };

  awale.open = async (table = {}, options = {}, context = null) => {
    const page = await (context ?? (await awale.context(options))).newPage();
    page.on("pageerror", (error) => faults.push(String(error)));
    await page.goto(`${awale.server.url}#${new URLSearchParams(table)}`);
    await page.locator(".board").waitFor();
    return page;
  };

  // What the server itself says about a game.
  awale.game = async (request) => {
    const response = await fetch(`${awale.server.url}api/game`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(request),
    });
    assert.equal(response.status, 200);
    return response.json();
  };

  return awale;
}

export const twoPeople = { south: "human", north: "human" };

// The game that a page holds in its address.
export function tableOf(page) {
  const words = new URLSearchParams(new URL(page.url()).hash.slice(1));
  return Object.fromEntries(words);
}

export const untilMoves = (page, moves) =>
  page.waitForFunction(
    (moves) => new URLSearchParams(location.hash.slice(1)).get("moves") === moves,
    moves,
  );

// Until the page holds at least `count` moves and whoever is to move may play, or the game is over.
export const untilReady = (page, count) =>
  page.waitForFunction(
    (count) =>
      new URLSearchParams(location.hash.slice(1)).get("moves")?.length >= count &&
      document.querySelector(".pit.legal, [data-over]"),
    count,
  );

export const pit = (page, letter) =>
  page
    .locator(".pit")
    .filter({ has: page.locator(".letter", { hasText: new RegExp(`^${letter}$`) }) });

// A pit that may not be played is no disabled button: it says why when it is clicked.
export const refuse = (page, letter) => pit(page, letter).click({ force: true });

export const headline = (page) => page.locator(".headline");
export const button = (page, name) => page.getByRole("button", { name, exact: true });
export const dialog = (page) => page.locator("dialog");
