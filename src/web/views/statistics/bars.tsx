interface Bar {
  name: string;
  /** Of the longest bar, 0 to 1. */
  share: number;
  text: string;
  /** The runs behind it. */
  href: string;
}

/** Lengths beside their numbers; each leads to its runs. */
export function Bars({ bars }: { bars: readonly Bar[] }) {
  return (
    <ul class="bars">
      {bars.map(({ name, share, text, href }) => (
        <li key={name}>
          <a href={href}>
            <span>{name}</span>
            <span class="number">{text}</span>
            <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
              <rect class="limit-track" x="0" y="0" width="100" height="4" />
              <rect class="bar-fill" x="0" y="0" width={Math.max(0, Math.min(1, share)) * 100} height="4" />
            </svg>
          </a>
        </li>
      ))}
    </ul>
  );
}
