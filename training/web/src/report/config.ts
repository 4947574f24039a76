// A run's config.toml, as the program writes it: sections of `key = value` lines.
export function settingsOf(toml: string): Map<string, string> {
  const settings = new Map<string, string>();
  let section = "";
  for (const line of toml.split("\n")) {
    const head = /^\[(.+)\]\s*$/.exec(line);
    const entry = /^([^#=]+?)\s*=\s*(.+)$/.exec(line);
    if (head) section = `${head[1]}.`;
    else if (entry) settings.set(section + entry[1], entry[2] ?? "");
  }
  return settings;
}

export function differences(configs: string[]): { key: string; values: (string | null)[] }[] {
  const all = configs.map(settingsOf);
  const keys = [...new Set(all.flatMap((settings) => [...settings.keys()]))];
  return keys
    .map((key) => ({ key, values: all.map((settings) => settings.get(key) ?? null) }))
    .filter(({ values }) => new Set(values).size > 1);
}
