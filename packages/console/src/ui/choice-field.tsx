import { type JSX, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { type Choice, choicesFor, listKey } from './choices.ts';
import { TextField } from './text-field.tsx';
import styles from './ui.module.css';

interface ChoiceFieldProps<T extends Choice> {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly choices: readonly T[];
  /** Called with the choice that a person made; the caller changes the text. */
  readonly onChoose: (choice: T) => void;
}

/** A field that offers what fits its text, and takes other text too. */
export function ChoiceField<T extends Choice>(props: ChoiceFieldProps<T>): JSX.Element {
  const { choices, error, hint, label, onChoose, onText, text } = props;
  const listId = useId();
  const [isOpen, setOpen] = useState(false);
  const [marked, setMarked] = useState(-1);
  const shown = isOpen ? choicesFor(choices, text) : [];
  const close = () => {
    setOpen(false);
    setMarked(-1);
  };
  const choose = (choice: T | undefined) => {
    if (choice !== undefined) onChoose(choice);
    close();
  };
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    // Not at the blur: the list would go from under a button before the click on it.
    const closeOutside = ({ target }: Event) => {
      if (target instanceof Node && root.current?.contains(target) === true) return;
      setOpen(false);
      setMarked(-1);
    };
    document.addEventListener('click', closeOutside);
    return () => {
      document.removeEventListener('click', closeOutside);
    };
  }, [isOpen]);
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Tab') close();
    const action = listKey(event.key, marked, shown.length);
    if (action === undefined) return;
    event.preventDefault();
    // Escape closes the list, and not the dialog around it.
    event.stopPropagation();
    if (action.kind === 'mark') setMarked(action.index);
    else if (action.kind === 'choose') choose(shown[action.index]);
    else close();
  };
  return (
    <div ref={root}>
      <TextField
        label={label}
        hint={hint}
        error={error}
        value={text}
        role="combobox"
        aria-expanded={shown.length > 0}
        aria-controls={shown.length > 0 ? listId : undefined}
        aria-autocomplete="list"
        aria-activedescendant={marked >= 0 ? `${listId}-${marked}` : undefined}
        autoComplete="off"
        spellCheck={false}
        onFocus={() => {
          setOpen(true);
        }}
        onKeyDown={press}
        onChange={(event) => {
          onText(event.target.value);
          setOpen(true);
          setMarked(-1);
        }}
      />
      {shown.length > 0 && (
        <div id={listId} role="listbox" aria-label={label} className={styles['choices']}>
          {shown.map((choice, index) => (
            // The keys are those of the field, which keeps the focus.
            <div
              key={choice.key}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === marked}
              onPointerDown={(event) => {
                event.preventDefault();
              }}
              onClick={() => {
                choose(choice);
              }}
            >
              {choice.name}
              {choice.hint !== undefined && <span className={styles['hint']}> {choice.hint}</span>}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
