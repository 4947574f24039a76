const paths = {
  first: "M18 6l-6 6 6 6M11 6l-6 6 6 6",
  previous: "M15 6l-6 6 6 6",
  next: "M9 6l6 6-6 6",
  last: "M6 6l6 6-6 6M13 6l6 6-6 6",
  back: "M9 7L4 12l5 5M4 12h10a5 5 0 0 1 5 5v1",
  hint: "M9 18h6M10 21h4M8.5 14.5a5.5 5.5 0 1 1 7 0c-.7.6-1 1.2-1 2h-5c0-.8-.3-1.4-1-2z",
  turn: "M4 9a8 8 0 0 1 14-3l2 2M20 4v4h-4M20 15a8 8 0 0 1-14 3l-2-2M4 20v-4h4",
  pause: "M9 6v12M15 6v12",
  go: "M8 5l11 7-11 7z",
  plus: "M12 5v14M5 12h14",
  open: "M12 15V4M8 8l4-4 4 4M5 15v4h14v-4",
  save: "M12 4v11M8 11l4 4 4-4M5 15v4h14v-4",
  help: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 18v.01",
  close: "M6 6l12 12M18 6L6 18",
} as const;

export function Icon({ name }: { name: keyof typeof paths }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
