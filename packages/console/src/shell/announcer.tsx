import { type JSX, useEffect, useRef } from 'react';
import { createStore, useStore } from './store.ts';
import styles from '../ui/ui.module.css';

/** What a screen reader reads out next. A blank at its end makes the same text new. */
const announcementStore = createStore('');

export function announce(text: string): void {
  announcementStore.set(announcementStore.get() === text ? `${text} ` : text);
}

/** Stands once in the page, from its start: a live region that comes with its text is not read out. */
export function Announcer(): JSX.Element {
  return (
    <div role="status" aria-live="polite" className={styles['hidden']}>
      {useStore(announcementStore)}
    </div>
  );
}

let isFirstPage = true;

/** The heading of a page. When the page is entered, it is read out and has the focus; the browser does this for the first page. */
export function PageHeading({ title }: { readonly title: string }): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  const entered = useRef(false);
  useEffect(() => {
    document.title = `${title} – Tocsin`;
    if (entered.current) return;
    entered.current = true;
    if (isFirstPage) {
      isFirstPage = false;
      return;
    }
    announce(title);
    // The router restores how far the page is scrolled.
    heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {title}
    </h1>
  );
}
