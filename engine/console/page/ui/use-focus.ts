import { useEffect } from "preact/hooks";

/** Lets what appears take the focus; when it goes, the focus is where it was before. */
export function useFocus(take: () => void): void {
  useEffect(() => {
    const before = document.activeElement;
    take();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
}
