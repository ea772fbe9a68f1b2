import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ComponentProps, JSX } from 'react';
import { type DefaultValues, type Path, useForm } from 'react-hook-form';
import { CallError } from '../api/call-error.ts';
import { fieldText } from '../api/problem-text.ts';
import { announce } from '../shell/announcer.tsx';
import { draftsStore, keepDraft } from '../shell/unsaved.ts';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/problem.tsx';
import { TextField } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';
import { SET_UP } from './queries.ts';

type FieldInput = Pick<ComponentProps<typeof TextField>, 'label' | 'hint' | 'type' | 'autoComplete'>;

interface StepFormProps<Input extends Readonly<Record<string, string>>> {
  readonly defaults: DefaultValues<Input>;
  /** By the names that the server has for them, which its refusals use. */
  readonly fields: Readonly<Record<keyof Input & string, FieldInput>>;
  readonly action: string;
  readonly disabledReason: string | undefined;
  readonly done: string;
  /** Whether it can be sent again with other input. */
  readonly isEmptiedWhenDone?: boolean;
  readonly onSubmit: (input: Input) => Promise<unknown>;
}

/**
 * The form of a step. What was typed stays where the server refuses it, with the reason at its field, and while its person looks at
 * another page.
 */
export function StepForm<Input extends Readonly<Record<string, string>>>({
  action,
  defaults,
  disabledReason,
  done,
  fields,
  isEmptiedWhenDone = false,
  onSubmit,
}: StepFormProps<Input>): JSX.Element {
  const client = useQueryClient();
  const placeOf = (name: string) => `set-up ${action} ${name}`;
  const names = Object.keys(fields) as (keyof Input & string)[];
  const drafts = names.flatMap((name) => {
    const draft = draftsStore.get().get(placeOf(name));
    return draft === undefined ? [] : [[name, draft] as const];
  });
  const defaultValues = Object.assign({}, defaults, Object.fromEntries(drafts));
  const { handleSubmit, register, reset } = useForm<Input>({ defaultValues });
  const write = useMutation({
    mutationFn: onSubmit,
    onSuccess: () => {
      for (const name of names) keepDraft(placeOf(name), '');
      announce(done);
      if (isEmptiedWhenDone) reset(defaults);
    },
    // A step of several writes can have done some of them.
    onSettled: () => client.invalidateQueries({ queryKey: SET_UP }),
  });
  const faults = write.error instanceof CallError ? write.error.fields : {};
  const hasField = names.some((name) => faults[name] !== undefined);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        void handleSubmit((input) => {
          if (!write.isPending) write.mutate(input);
        })(event);
      }}
    >
      {names.map((name) => (
        <TextField
          key={name}
          {...fields[name]}
          {...register(name as unknown as Path<Input>, {
            onChange: ({ target }: { readonly target: HTMLInputElement }) => {
              keepDraft(placeOf(name), target.value);
            },
          })}
          error={faults[name] === undefined ? undefined : fieldText(fields[name].label, faults[name])}
        />
      ))}
      {write.error !== null && !hasField && <Problem error={write.error} />}
      <div className={ui['row']}>
        <Button
          type="submit"
          look="primary"
          disabledReason={disabledReason ?? (write.isPending ? 'The server is answering.' : undefined)}
        >
          {action}
        </Button>
      </div>
    </form>
  );
}
