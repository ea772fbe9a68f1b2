import { type JSX, type KeyboardEvent, useState } from 'react';
import { useIsMoveOffered } from '../move/use-move.ts';
import { Button } from '../ui/button.tsx';
import { Modal } from '../ui/modal.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useGo } from './link.tsx';
import { offeredPages, type PageEntry, pagesFor } from './pages.ts';
import { paths } from './paths.ts';
import styles from './shell.module.css';

interface Choice {
  readonly name: string;
  readonly path: string;
}

/** Those of the pages that fit the text, and a search for alerts with it. */
function choicesFor(text: string, pages: readonly PageEntry[]): readonly Choice[] {
  const words = text.trim();
  const search = { name: `Search alerts for “${words}”`, path: paths.alerts(words) };
  return [...pagesFor(words, pages), ...(words === '' ? [] : [search])];
}

/** Finds a page by a part of its name. */
export function Palette({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const goTo = useGo();
  const [text, setText] = useState('');
  const [marked, setMarked] = useState(0);
  const choices = choicesFor(text, offeredPages(useIsMoveOffered()));
  const go = (choice: Choice | undefined) => {
    if (choice === undefined) return;
    onClose();
    goTo(choice.path);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setMarked((marked + step + choices.length) % choices.length);
    else if (event.key === 'Enter') go(choices[marked]);
    else return;
    event.preventDefault();
  };
  return (
    <Modal title="Find" onClose={onClose}>
      <TextField
        label="Page or alert"
        value={text}
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-choices"
        aria-activedescendant={`palette-choice-${marked}`}
        autoComplete="off"
        onKeyDown={press}
        onChange={(event) => {
          setText(event.target.value);
          setMarked(0);
        }}
      />
      <div id="palette-choices" role="listbox" aria-label="Choices" className={styles['results']}>
        {choices.map((choice, index) => (
          // The keys are those of the field, which keeps the focus.
          <div
            key={choice.path}
            id={`palette-choice-${index}`}
            role="option"
            aria-selected={index === marked}
            onClick={() => {
              go(choice);
            }}
          >
            {choice.name}
          </div>
        ))}
      </div>
      <Button onClick={onClose}>Close</Button>
    </Modal>
  );
}
