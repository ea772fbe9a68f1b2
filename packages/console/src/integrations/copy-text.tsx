import { type JSX, useState } from 'react';
import { announce } from '../shell/announcer.tsx';
import { Button } from '../ui/button.tsx';
import ui from '../ui/ui.module.css';
import styles from './integrations.module.css';

interface CopyButtonsProps {
  /** What each button copies, by what it is, such as `key`. */
  readonly texts: Readonly<Record<string, string>>;
  readonly onCopied?: () => void;
}

/** Buttons that copy texts of the page. */
export function CopyButtons({ onCopied, texts }: CopyButtonsProps): JSX.Element {
  const [isRefused, setRefused] = useState(false);
  const copy = async (what: string, text: string) => {
    try {
      await navigator.clipboard.writeText(text);
      setRefused(false);
      onCopied?.();
      announce(`The ${what} was copied.`);
    } catch {
      setRefused(true);
    }
  };
  return (
    <>
      <div className={`${ui['row'] ?? ''} ${styles['copy'] ?? ''}`}>
        {Object.entries(texts).map(([what, text]) => (
          <Button key={what} onClick={() => void copy(what, text)}>
            Copy the {what}
          </Button>
        ))}
      </div>
      {isRefused && (
        <p role="alert" className={ui['error']}>
          The browser does not let the page copy. Select the text and copy it yourself.
        </p>
      )}
    </>
  );
}
