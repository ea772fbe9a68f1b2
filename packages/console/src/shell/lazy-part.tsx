import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ComponentType, JSX } from 'react';
import { Button } from '../ui/button.tsx';
import { Skeleton } from '../ui/loaded.tsx';
import { Problem } from '../ui/problem.tsx';
import { loadPart } from './load-part.ts';
import styles from './shell.module.css';

type Load<P> = () => Promise<ComponentType<P>>;

const parts: (() => Promise<unknown>)[] = [];

function usePart<P>(name: string, load: Load<P>): UseQueryResult<ComponentType<P>> {
  return useQuery({
    queryKey: ['part', name],
    queryFn: () => loadPart(load),
    staleTime: Infinity,
    gcTime: Infinity,
    retry: false,
    structuralSharing: false,
  });
}

/** A page that is loaded when it is first shown. Where that fails, it says why, and can be tried again. */
export function lazyPage(name: string, load: Load<object>): () => JSX.Element {
  parts.push(load);
  return function LazyPage() {
    const { data: Page, error, refetch } = usePart(name, load);
    if (Page !== undefined) return <Page />;
    return error === null ? <Skeleton height="60vh" /> : <Problem error={error} onRetry={() => void refetch()} />;
  };
}

interface DialogProps {
  /** Absent where the dialog has to be answered. */
  readonly onClose?: () => void;
}

/** A dialog that is loaded when it is first opened. Where that fails, the page below it stays and says why. */
export function lazyDialog<P extends object>(name: string, load: Load<P>): ComponentType<P & DialogProps> {
  parts.push(load);
  return function LazyDialog(props: P & DialogProps) {
    const { data: Dialog, error, refetch } = usePart(name, load);
    if (Dialog !== undefined) return <Dialog {...props} />;
    return (
      error !== null && (
        <div className={styles['failedDialog']}>
          <Problem error={error} onRetry={() => void refetch()} />
          {props.onClose && <Button onClick={props.onClose}>Close</Button>}
        </div>
      )
    );
  };
}

/** How long after its start a page loads the parts that were not needed yet, so that they are there in an outage. */
const LOAD_AFTER_MS = 2_000;

export function loadPartsLater(): void {
  setTimeout(() => void loadParts(), LOAD_AFTER_MS);
}

/** One part after the other, until one fails: that one is tried again when it is needed. */
async function loadParts(): Promise<void> {
  try {
    for (const load of parts) await load();
  } catch {
    // The page needs none of them yet.
  }
}
