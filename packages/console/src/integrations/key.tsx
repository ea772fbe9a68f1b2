import type { JSX } from 'react';
import { Instant } from '../ui/instant.tsx';
import { CopyButtons } from './copy-text.tsx';
import styles from './integrations.module.css';
import { forgetKey } from './key-store.ts';
import { curlOf } from './set-up-texts.ts';
import type { ShownKey } from './write.ts';

interface KeyProps {
  readonly shown: ShownKey;
  /** Where the key is kept until it is copied. */
  readonly place: string;
}

/** A key that the server shows this once, with a command that uses it. */
export function Key({ place, shown }: KeyProps): JSX.Element {
  const { apiKey, previousKeyValidUntil } = shown;
  const command = curlOf(window.location.origin, apiKey);
  return (
    <>
      <p className={styles['key']}>
        The key is <code>{apiKey}</code>. It is shown this once: copy it now. This command sends an alert with it:
      </p>
      {previousKeyValidUntil !== undefined && (
        <p>
          The key before it is valid until <Instant at={previousKeyValidUntil} />: give the new one to all that use it.
        </p>
      )}
      <pre className={styles['text']} tabIndex={0} aria-label="Command">
        {command}
      </pre>
      <CopyButtons
        texts={{ key: apiKey, command }}
        onCopied={() => {
          forgetKey(place);
        }}
      />
    </>
  );
}
