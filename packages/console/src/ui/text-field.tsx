import { type ComponentProps, type JSX, useId } from 'react';
import styles from './ui.module.css';

interface FieldProps {
  /** What the field is for. No field goes without one. */
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly hint?: string | undefined;
  /** What is wrong with the input, and what to do. */
  readonly error?: string | undefined;
}

type TextFieldProps = FieldProps & Omit<ComponentProps<'input'>, 'id' | 'aria-label' | 'className' | 'placeholder'>;

/** A field for one line of text. */
export function TextField({ error, hint, isLabelHidden = false, label, ...input }: TextFieldProps): JSX.Element {
  const parts = useFieldParts({ error, hint });
  return (
    <div className={styles['field']}>
      <label htmlFor={parts.id} className={isLabelHidden ? styles['hidden'] : styles['label']}>
        {label}
      </label>
      <input {...input} {...parts.attributes} className={styles['input']} />
      <FieldNotes error={error} hint={hint} id={parts.id} />
    </div>
  );
}

type TextAreaProps = FieldProps & Omit<ComponentProps<'textarea'>, 'id' | 'aria-label' | 'className' | 'placeholder'>;

/** A field for several lines of text. */
export function TextArea({ error, hint, isLabelHidden = false, label, ...area }: TextAreaProps): JSX.Element {
  const parts = useFieldParts({ error, hint });
  return (
    <div className={styles['field']}>
      <label htmlFor={parts.id} className={isLabelHidden ? styles['hidden'] : styles['label']}>
        {label}
      </label>
      <textarea {...area} {...parts.attributes} className={styles['input']} />
      <FieldNotes error={error} hint={hint} id={parts.id} />
    </div>
  );
}

function useFieldParts({ error, hint }: Pick<FieldProps, 'error' | 'hint'>) {
  const id = useId();
  const notes = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean);
  return {
    id,
    attributes: {
      id,
      'aria-invalid': error !== undefined,
      'aria-describedby': notes.length > 0 ? notes.join(' ') : undefined,
    },
  };
}

function FieldNotes({ error, hint, id }: Pick<FieldProps, 'error' | 'hint'> & { readonly id: string }): JSX.Element {
  return (
    <>
      {hint !== undefined && (
        <span id={`${id}-hint`} className={styles['hint']}>
          {hint}
        </span>
      )}
      {error !== undefined && (
        <span id={`${id}-error`} role="alert" className={styles['error']}>
          {error}
        </span>
      )}
    </>
  );
}
