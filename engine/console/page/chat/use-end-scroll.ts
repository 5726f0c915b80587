import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

const NEAR_PIXELS = 48;

/** Keeps a scrolled box at its end while its end is read, and where it is while something before it is. */
export function useEndScroll(key: unknown) {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  // Whether the end is read; then new content is followed.
  const isAtEnd = useSignal(true);
  const toEnd = () => {
    isAtEnd.value = true;
    box.current?.scrollTo({ top: box.current.scrollHeight });
  };
  useEffect(() => {
    const { current } = box;
    if (!current || !content.current) return;
    let height = current.scrollHeight;
    const onScroll = () => {
      const { scrollHeight, scrollTop, clientHeight } = current;
      const isNear = scrollHeight - scrollTop - clientHeight < NEAR_PIXELS;
      // A box that grew is not scrolled by its reader: the observer follows.
      if (isNear || scrollHeight === height) isAtEnd.value = isNear;
      height = scrollHeight;
    };
    const observer = new ResizeObserver(() => {
      if (isAtEnd.peek()) current.scrollTop = current.scrollHeight;
      height = current.scrollHeight;
    });
    observer.observe(content.current);
    observer.observe(current);
    current.addEventListener("scroll", onScroll, { passive: true });
    toEnd();
    return () => {
      observer.disconnect();
      current.removeEventListener("scroll", onScroll);
    };
  }, [key]);
  return { box, content, isAtEnd, toEnd };
}
