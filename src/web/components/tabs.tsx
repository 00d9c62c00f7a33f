import { addressOf } from '../navigation/route.ts';

interface TabsProps {
  label: string;
  view: string;
  /** The first one is shown at the address of the view itself. */
  tabs: readonly (readonly [item: string, text: string])[];
  current: string;
}

/** Pages of one view, each with an address of its own. */
export function Tabs({ label, view, tabs, current }: TabsProps) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(([item, text]) => (
        <a
          key={item}
          href={addressOf(view, item)}
          {...(item === current ? { 'aria-current': 'page' as const } : {})}
        >
          {text}
        </a>
      ))}
    </nav>
  );
}
