import type { ComponentChildren } from "preact";

interface SectionProps {
  id: string;
  title: string;
  lead?: string;
  missing?: string | false | null; // why there is nothing
  children?: ComponentChildren;
}

export function Section({ id, title, lead, missing, children }: SectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {missing ? (
        <p class="missing">{missing}</p>
      ) : (
        <>
          {lead && <p class="lead">{lead}</p>}
          {children}
        </>
      )}
    </section>
  );
}
