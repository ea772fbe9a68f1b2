import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type JSX, type RefObject, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { PageHeading } from '../shell/announcer.tsx';
import { useGo } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { Button } from '../ui/button.tsx';
import { Skeleton } from '../ui/loaded.tsx';
import { Problem } from '../ui/problem.tsx';
import ui from '../ui/ui.module.css';
import { AlertFields } from './alert-fields.tsx';
import { type AlertForm, formOfSearch, readAlert, refusedFields, searchOfForm, withResponder } from './alert-form.ts';
import styles from './flow.module.css';
import { trialQuery } from './queries.ts';
import { TrialView } from './trial-view.tsx';

/** What would happen to an alert: a person tries one, and nothing is written. */
export function FlowPage(): JSX.Element {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  return (
    <>
      <PageHeading title="Flow" />
      <p>What would happen to an alert? Try one: no alert is made, and no user is notified.</p>
      <TryAlert given={formOfSearch(search)} />
    </>
  );
}

const isSame = (one: AlertForm, other: AlertForm): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Leads to the heading of the result when the answer to a person comes: on a phone it is below the form. */
function useResultFocus(data: unknown, asked: number): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const led = useRef(asked);
  useEffect(() => {
    if (data === undefined || led.current === asked) return;
    led.current = asked;
    heading.current?.focus();
  }, [asked, data]);
  return heading;
}

function TryAlert({ given }: { readonly given: AlertForm }): JSX.Element {
  const go = useGo();
  const [seen, setSeen] = useState(given);
  const [form, setForm] = useState(given);
  const [asked, setAsked] = useState({ form: given, times: 0 });
  const [isTried, setTried] = useState(given.message !== '');
  const [isTooLong, setTooLong] = useState(false);
  const [responder, setResponder] = useState('');
  if (!isSame(given, seen)) {
    setSeen(given);
    // Not the address that this form led to, but a link or a step back.
    if (searchOfForm(given) !== searchOfForm(asked.form)) {
      setForm(given);
      setAsked({ form: given, times: asked.times + 1 });
    }
  }
  const { data, error, isFetching } = useQuery(trialQuery(readAlert(asked.form).alert, asked.times));
  const typed = readAlert(form);
  const isAsked = isSame(form, asked.form);
  const faults = { ...(isAsked && refusedFields(error)), ...(isTried && typed.faults) };
  const result = useResultFocus(data, asked.times);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (typed.alert === undefined || isFetching) return;
    const complete = withResponder(form, responder);
    const text = searchOfForm(complete);
    setTooLong(text === undefined);
    setResponder('');
    setForm(complete);
    setAsked({ form: complete, times: asked.times + 1 });
    if (text !== undefined) go(paths.flow(text));
  };
  return (
    <div className={styles['page']}>
      <form noValidate onSubmit={submit} aria-labelledby="try">
        <h2 id="try">Try an alert</h2>
        <AlertFields
          form={form}
          faults={faults}
          typed={responder}
          onTyped={setResponder}
          onChange={(change) => {
            setForm((before) => ({ ...before, ...change }));
          }}
        />
        <div className={ui['row']}>
          <Button type="submit" look="primary" disabledReason={isFetching ? 'The server is answering.' : undefined}>
            Try the alert
          </Button>
        </div>
        <p className={ui['hint']}>
          {isTooLong
            ? 'This alert is too long for the address of the page, so it cannot be shared by it.'
            : 'Afterwards the address of the page has the alert, so that it can be shared.'}
        </p>
      </form>
      <section aria-labelledby="result" className={styles['result']}>
        <h2 id="result" ref={result} tabIndex={-1}>
          What would happen
        </h2>
        {error !== null && isAsked && Object.keys(refusedFields(error)).length === 0 && <Problem error={error} />}
        {error === null && data !== undefined && (
          <>
            {!isAsked && <p role="note">The alert was changed since. Try it again.</p>}
            <TrialView trial={data} />
          </>
        )}
        {isFetching && data === undefined && <Skeleton height="12rem" />}
        {data === undefined && !isFetching && error === null && <p>Fill in the alert, and try it.</p>}
      </section>
    </div>
  );
}
