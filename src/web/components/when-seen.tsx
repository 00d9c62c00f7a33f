import { options, type VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Drawn before it is scrolled into view, so that nobody sees it come. */
const AHEAD = '200px';

/** What a change of state asks for is drawn before this returns: a page is printed in the same step that announces it. */
function atOnce(change: () => void): void {
  const later = options.debounceRendering;
  let draw = () => {};
  options.debounceRendering = (wanted) => {
    draw = wanted;
  };
  try {
    change();
    draw();
  } finally {
    if (later) options.debounceRendering = later;
    else delete options.debounceRendering;
  }
}

/**
 * What is dear to draw and often changes, such as a plot: while it is outside of the screen it stays as it was, and is brought
 * up to date when it is scrolled into view or printed.
 */
export function WhenSeen({ children: draw }: { children: () => VNode }) {
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<VNode | null>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const observer = new IntersectionObserver((entries) => setSeen(entries.at(-1)?.isIntersecting === true), {
      rootMargin: AHEAD,
    });
    observer.observe(element);
    const show = () => atOnce(() => setSeen(true));
    addEventListener('beforeprint', show);
    return () => {
      observer.disconnect();
      removeEventListener('beforeprint', show);
    };
  }, []);
  // The same node again: Preact leaves what hangs on it alone.
  if (isSeen || drawn.current === null) drawn.current = draw();
  return <div ref={place}>{drawn.current}</div>;
}
