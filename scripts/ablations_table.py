"""What scripts/ablations.py has measured, as a table with 95 % intervals.

Points have the interval that `awale match` gives them, from pairs of games (training/rating.hpp says
how). Several seeds are pooled: their spread is what training itself adds, so its standard error is in
the interval, too. Shares of results lost have Wilson's interval of all seeds' positions together.
"""

import csv
import json
import math
import statistics

Z95 = 1.959963984540054
ENDS = ("", "_low", "_high")


def wilson(count, total):
    """Wilson's interval of a share, as (share, low, high)."""
    share, z2 = count / total, Z95 * Z95
    middle = (share + z2 / (2 * total)) / (1 + z2 / total)
    half = Z95 * math.sqrt(share * (1 - share) / total + z2 / (4 * total * total)) / (1 + z2 / total)
    return share, max(0, middle - half), min(1, middle + half)


def elo(points, games):
    """Kept finite as by `awale match`: half a point off 0 and 100 %."""
    points = min(max(points, 0.5 / games), 1 - 0.5 / games)
    return 400 * math.log10(points / (1 - points))


def pooled_points(matches):
    """(points, low, high) of several seeds. The distances of the means to the ends of their intervals
    are pooled like standard errors (Zou & Donner 2008, "Construction of confidence limits about effect
    measures"), so one seed keeps its interval and one that never lost has a width, too."""
    means, lows, highs = ([match[f"points_percent{end}"] / 100 for match in matches] for end in ENDS)
    mean, seeds = statistics.fmean(means), len(matches)
    spread = Z95 * statistics.stdev(means) / math.sqrt(seeds) if seeds > 1 else 0
    below, above = (max(math.dist(means, ends) / seeds, spread) for ends in (lows, highs))
    return mean, max(0, mean - below), min(1, mean + above)


def with_ends(key, values):
    return {f"{key}{end}": value for end, value in zip(ENDS, values)}


def lost(grades):
    """{simulations: (lost, positions)} at the positions whose result hangs on the move, 0 for the
    network alone."""
    found = {}
    for grade in grades:
        for player in grade["sets"][0]["players"]:
            share = player["all"]["lost"]
            before = found.get(player["simulations"], (0, 0))
            found[player["simulations"]] = (before[0] + round(share["value"] * share["n"]), before[1] + share["n"])
    return found


def row_of(name, description, seeds):
    """`seeds`: what each seed's run has shown, by "summary", "opponent", "grade" and, but for the base
    itself, "base"."""
    row = {"variant": name, "changes": description,
           "games": statistics.fmean(seed["summary"]["games"] for seed in seeds),
           "rows": statistics.fmean(seed["summary"]["rows"] for seed in seeds)}
    if "base" in seeds[0]:
        matches = [seed["base"] for seed in seeds]
        points, games = pooled_points(matches), sum(match["games"] for match in matches)
        row |= with_ends("points", points) | with_ends("elo", (elo(value, games) for value in points))
        row["ms_a_move"] = statistics.fmean(match["first_ms_per_move"] for match in matches)
    row |= with_ends("opponent_points", pooled_points([seed["opponent"] for seed in seeds]))
    for simulations, counts in sorted(lost([seed["grade"] for seed in seeds]).items()):
        row |= with_ends("search_lost" if simulations else "network_lost", wilson(*counts))
    return row


def interval(row, key, scale, form):
    if key not in row:
        return ""
    low, high = row[f"{key}_low"] * scale, row[f"{key}_high"] * scale
    return f"{row[key] * scale:{form}} [{low:{form}}, {high:{form}}]"


def to_markdown(rows, arguments):
    seeds = len(arguments.seeds)
    pace = f"{arguments.equal_time} ms" if arguments.equal_time else f"{arguments.simulations} simulations"
    lines = [f"{arguments.core_minutes:g} core-minutes of training each, {seeds} seed{'s' if seeds > 1 else ''}; "
             f"{arguments.games} games a seed and opponent with {pace} a move; results lost "
             f"at {arguments.positions} endgame positions; 95 % intervals.", "",
             f"| variant | Elo | points against base, % | against `{arguments.opponent}`, % "
             "| results lost by the network, % | by the search, % | thousand games |",
             "|---|---|---|---|---|---|---|"]
    for row in rows:
        lines.append(f"| `{row['variant']}` | {interval(row, 'elo', 1, '+.0f')} "
                     f"| {interval(row, 'points', 100, '.1f')} "
                     f"| {interval(row, 'opponent_points', 100, '.1f')} "
                     f"| {interval(row, 'network_lost', 100, '.2f')} "
                     f"| {interval(row, 'search_lost', 100, '.2f')} | {row['games'] / 1000:.1f} |")
    return "\n".join(lines) + "\n"


def write(rows, arguments):
    """The table in OUT, the base first, then the best; returns it."""
    rows = rows[:1] + sorted(rows[1:], key=lambda row: -row["elo"])
    text = to_markdown(rows, arguments)
    (arguments.out / "ablations.md").write_text(text)
    (arguments.out / "ablations.json").write_text(json.dumps(rows, indent=2) + "\n")
    with open(arguments.out / "ablations.csv", "w", newline="") as stream:
        fields = list(dict.fromkeys(key for row in rows for key in row))
        writer = csv.DictWriter(stream, fields)
        writer.writeheader()
        writer.writerows(rows)
    return text
