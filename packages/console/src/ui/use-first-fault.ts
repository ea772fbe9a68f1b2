import { type RefObject, useEffect, useRef } from 'react';

/**
 * Leads to the first field of a form that is wrong, after each try to send the form and each refusal: on a phone it is often out of sight.
 *
 * @param tries - how often its person tried to send the form
 * @param error - why the server refused it
 */
export function useFirstFault(tries: number, error: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (tries > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [tries, error]);
  return form;
}
