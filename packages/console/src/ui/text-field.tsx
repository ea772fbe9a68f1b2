import { type ComponentProps, type JSX, useId } from 'react';
import styles from './ui.module.css';

export interface FieldProps {
  /** What the field is for. No field goes without one. */
  readonly label: string;
  readonly isLabelHidden?: boolean | undefined;
  readonly hint?: string | undefined;
  /** What is wrong with the input, and what to do. */
  readonly error?: string | undefined;
}

type TextFieldProps = FieldProps & Omit<ComponentProps<'input'>, 'id' | 'aria-label' | 'className' | 'placeholder'>;

/** A field for one line of text. */
export function TextField({ error, hint, isLabelHidden, label, ...input }: TextFieldProps): JSX.Element {
  return (
    <Field error={error} hint={hint} isLabelHidden={isLabelHidden} label={label}>
      {(attributes) => <input {...input} {...attributes} className={styles['input']} />}
    </Field>
  );
}

type TextAreaProps = FieldProps & Omit<ComponentProps<'textarea'>, 'id' | 'aria-label' | 'className' | 'placeholder'>;

/** A field for several lines of text. */
export function TextArea({ error, hint, isLabelHidden, label, ...area }: TextAreaProps): JSX.Element {
  return (
    <Field error={error} hint={hint} isLabelHidden={isLabelHidden} label={label}>
      {(attributes) => <textarea {...area} {...attributes} className={styles['input']} />}
    </Field>
  );
}

interface FieldAttributes {
  readonly id: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string | undefined;
}

interface FieldParts extends FieldProps {
  /** The element that takes the input. Its attributes join it with the label and the notes. */
  readonly children: (attributes: FieldAttributes) => JSX.Element;
}

/** A label, the element that it is for, and the notes below it. */
export function Field({ children, error, hint, isLabelHidden = false, label }: FieldParts): JSX.Element {
  const id = useId();
  const notes = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean);
  return (
    <div className={styles['field']}>
      <label htmlFor={id} className={isLabelHidden ? styles['hidden'] : styles['label']}>
        {label}
      </label>
      {children({
        id,
        'aria-invalid': error !== undefined,
        'aria-describedby': notes.length > 0 ? notes.join(' ') : undefined,
      })}
      <FieldNotes error={error} hint={hint} id={id} />
    </div>
  );
}

/** The notes of a field, which name it by its id. */
export function FieldNotes({
  error,
  hint,
  id,
}: Pick<FieldProps, 'error' | 'hint'> & { readonly id: string }): JSX.Element {
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
