import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { dialog, refuse, twoPeople, untilReady, useAwale } from "./support.mjs";

const awale = useAwale();

const texts = JSON.parse(
  readFileSync(new URL("../../training/web/src/texts.json", import.meta.url), "utf8"),
);

// Every text of a language: [["board.pit.one", "Pit {pit}, {n} seed"], ...].
const leaves = (value, path = "") =>
  typeof value === "string"
    ? [[path, value]]
    : Object.entries(value).flatMap(([key, part]) => leaves(part, path ? `${path}.${key}` : key));

const placeholders = (text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

const english = Object.fromEntries(leaves(texts.en));
const others = Object.keys(texts).filter((language) => language !== "en");

for (const language of others) {
  test(`${language} has every text, with the same blanks`, () => {
    const own = Object.fromEntries(leaves(texts[language]));
    assert.deepEqual(Object.keys(own).sort(), Object.keys(english).sort());
    for (const [key, text] of Object.entries(own)) {
      assert.notEqual(text.trim(), "", key);
      assert.deepEqual(placeholders(text), placeholders(english[key]), key);
    }
  });
}

// What can be read or heard on the page, a string each.
const wordsOn = (page) =>
  page.evaluate(() => {
    const words = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (!node.parentElement.closest("script, style, [lang]")) words.push(node.data.trim());
    for (const element of document.querySelectorAll("[aria-label], [title]"))
      words.push(element.ariaLabel ?? "", element.title);
    return words.filter((word) => /\p{L}{2}/u.test(word));
  });

// The English texts that `language` has nowhere, as patterns.
function englishOnly(language) {
  const own = new Set(leaves(texts[language]).map(([, text]) => text));
  return leaves(texts.en)
    .filter(([, text]) => !own.has(text) && /\p{L}{3}/u.test(text.replace(/\{\w+\}/g, "")))
    .map(([, text]) => {
      const pattern = text.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\w+\}/g, ".+?");
      return new RegExp(`(?<!\\p{L})${pattern}(?!\\p{L})`, "u");
    });
}

async function everythingOn(page) {
  const words = [];
  const look = async () => words.push(...(await wordsOn(page)));
  await page.locator('.details[aria-busy="false"]').waitFor();
  await page.locator(".setup summary").click();
  await refuse(page, "F"); // empty
  await look();
  await page.keyboard.press("h");
  await page.locator(".pit.hint").waitFor();
  await page.locator(".pit.legal").first().hover();
  await look();
  for (let i = 0; i < 4; ++i) {
    await page.locator(".top-bar nav button").nth(i).click();
    await dialog(page).waitFor();
    if (i === 0) {
      const rules = dialog(page).locator("select").first();
      for (const option of await rules.locator("option").all()) {
        await rules.selectOption(await option.getAttribute("value"));
        await look();
      }
    }
    await look();
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "detached" });
  }
  return words;
}

// A game in the address that cannot be played, and texts that cannot be loaded.
async function everyRefusalOn(page, { play, load_problems: problems }) {
  const words = [];
  const look = async (heading) => {
    const alert = page.getByRole("alert").last();
    await alert.filter({ hasText: heading.split("{")[0] }).waitFor();
    words.push(...(await wordsOn(page)));
  };
  const load = async (text, heading) => {
    await dialog(page).locator("textarea").fill(text);
    await dialog(page).locator("[type=submit]").click();
    await look(heading);
  };
  await page.locator(".top-bar nav button").nth(1).click();
  await load("FF", problems.moves.move);
  await load("F f", problems.moves.text);
  await load("[Event", problems.ogn.text);
  await load('[Variant "chess"] 1. F *', problems.ogn.rules);
  await load('[Event "x"] 1. F F *', problems.ogn.move);
  await load("# a remark", problems.empty);
  await page.keyboard.press("Escape");
  await page.evaluate(() => (location.hash = "rules=chess"));
  await look(play.bad_game);
  await page.locator(".top-bar nav button").nth(1).click();
  await load("Ff", problems.moves.rules);
  return words;
}

for (const language of others) {
  test(`no English is left in ${language}`, async () => {
    const table = { simulations: "8", analysis: "", ...twoPeople };
    const start = "0-0-0-0-1-1-1-0-2-0-0-0-23-20-S";
    const over = await awale.open({ ...table, start, moves: "F" }, { locale: language });
    await over.locator("[data-over]").waitFor();
    const emptyF = "4-4-4-4-4-0-4-4-4-4-4-4-2-2-S";
    const middle = await awale.open({ ...table, start: emptyF }, { locale: language });
    assert.equal(await middle.locator("html").getAttribute("lang"), language);
    const words = [
      ...(await wordsOn(over)),
      ...(await everythingOn(middle)),
      ...(await everyRefusalOn(middle, texts[language])),
    ];
    const patterns = englishOnly(language);
    assert.ok(patterns.length > 100);
    const left = words.filter((word) => patterns.some((pattern) => pattern.test(word)));
    assert.deepEqual([...new Set(left)], []);
    const broken = words.filter((word) => /undefined|NaN|\{\w+\}|last seed/.test(word));
    assert.deepEqual(broken, []);
  });
}

test("the language can be chosen and is remembered", async () => {
  const context = await awale.context();
  const page = await awale.open(twoPeople, {}, context);
  await untilReady(page, 0);
  await page.getByLabel("Language").selectOption("fi");
  await page.locator("html[lang=fi]").waitFor();
  assert.equal(await page.locator(".headline").textContent(), texts.fi.play.to_move.South);
  const next = await awale.open(twoPeople, {}, context);
  assert.equal(await next.locator("html").getAttribute("lang"), "fi");
});
