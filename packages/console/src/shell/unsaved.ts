import { useEffect } from 'react';

/** How many forms have input that a reload would lose. */
let forms = 0;

export const hasUnsavedInput = (): boolean => forms > 0;

/** Marks the form of the caller as one whose input a reload would lose. */
export function useUnsavedInput(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return undefined;
    forms += 1;
    return () => {
      forms -= 1;
    };
  }, [isUnsaved]);
}

/** Lets the browser ask before a page with such input is left. */
export function guardUnsavedInput(page: Window): void {
  page.addEventListener('beforeunload', (event) => {
    if (hasUnsavedInput()) event.preventDefault();
  });
}
