import {
  type FocusEvent,
  type JSX,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { useIsMoveOffered } from '../move/use-move.ts';
import { Button } from '../ui/button.tsx';
import { PageLink } from './link.tsx';
import { currentMark, offeredPages } from './pages.ts';
import styles from './shell.module.css';

interface MorePagesProps {
  /** The path of the page that is shown. */
  readonly shown: string;
  /** What follows the list. */
  readonly children: ReactNode;
}

/** A button that opens the list of the pages that the header does not name. A choice, Escape, and a click or the focus elsewhere close it. */
export function MorePages({ children, shown }: MorePagesProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const others = offeredPages(useIsMoveOffered()).filter(({ isMain }) => !isMain);
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
  };
  useEffect(() => {
    if (!isOpen) return;
    const closeOnPress = ({ target }: PointerEvent) => {
      if (target instanceof Node && root.current?.contains(target) !== true) setOpen(false);
    };
    document.addEventListener('pointerdown', closeOnPress);
    return () => {
      document.removeEventListener('pointerdown', closeOnPress);
    };
  }, [isOpen]);
  const closeOnEscape = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape' || !isOpen) return;
    close();
    button.current?.focus();
  };
  const closeOnFocusElsewhere = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) close();
  };
  return (
    <div ref={root} className={styles['more']} onKeyDown={closeOnEscape} onBlur={closeOnFocusElsewhere}>
      <Button
        ref={button}
        look="plain"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => {
          setOpen(!isOpen);
        }}
      >
        More
      </Button>
      <div id={id} className={styles['morePages']} hidden={!isOpen}>
        <ul>
          {others.map(({ name, path }) => (
            <li key={path}>
              <PageLink to={path} aria-current={currentMark(path, shown)} onClick={close}>
                {name}
              </PageLink>
            </li>
          ))}
        </ul>
        {children}
      </div>
    </div>
  );
}
