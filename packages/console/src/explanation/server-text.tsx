import type { JSX } from 'react';
import { Instant } from '../ui/instant.tsx';
import { partsOf } from './explanation.ts';

/** A text of the server, with its instants in the zone of this device. */
export function ServerText({ text }: { readonly text: string }): JSX.Element {
  return (
    <>
      {partsOf(text).map((part, index) =>
        part.kind === 'words' ? (
          <span key={index}>{part.text}</span>
        ) : (
          <span key={index}>
            <Instant at={part.at} />
          </span>
        ),
      )}
    </>
  );
}
