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

interface PageHeadingProps {
  readonly title: string;
  /** Whether the title is that of what the page shows, not the one until it is read. */
  readonly isReady?: boolean;
}

let isFirstPage = true;

/** The heading of a page. When the page is entered it has the focus, and it is read out once it says what the page shows. */
export function PageHeading({ isReady = true, title }: PageHeadingProps): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  const hasEntered = useRef(false);
  // The browser reads out the title that the first page has at its start.
  const isRead = useRef(isReady && isFirstPage);
  useEffect(() => {
    document.title = `${title} – Tocsin`;
  }, [title]);
  useEffect(() => {
    if (hasEntered.current) return;
    hasEntered.current = true;
    // The router restores how far the page is scrolled.
    if (!isFirstPage) heading.current?.focus({ preventScroll: true });
    isFirstPage = false;
  }, []);
  useEffect(() => {
    if (!isReady || isRead.current) return;
    isRead.current = true;
    announce(title);
  }, [isReady, title]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {title}
    </h1>
  );
}
