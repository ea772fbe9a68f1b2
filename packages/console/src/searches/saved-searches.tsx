import { type JSX, lazy, Suspense, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Skeleton } from '../ui/loaded.tsx';

const SearchList = lazy(async () => ({ default: (await import('./search-list.tsx')).SearchList }));

/** Opens the searches that people saved. */
export function SavedSearches({ query }: { readonly query: string }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        look="plain"
        aria-expanded={isOpen}
        onClick={() => {
          setOpen(!isOpen);
        }}
      >
        Saved searches
      </Button>
      {isOpen && (
        <Suspense fallback={<Skeleton height="10rem" />}>
          <SearchList query={query} />
        </Suspense>
      )}
    </>
  );
}
