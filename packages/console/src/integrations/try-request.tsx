import { useMutation } from '@tanstack/react-query';
import { type JSX, type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/problem.tsx';
import { TextArea } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';
import type { Preset } from './hook.ts';
import { integrationPath } from './queries.ts';
import { SampleField } from './sample-field.tsx';
import { NO_REQUEST, refusedDraft, requestFault, type TriedRequest, trialBody } from './trial.ts';
import { TrialItems } from './trial-items.tsx';

interface TryRequestProps {
  readonly integrationId: string;
  /** That whose samples are offered. */
  readonly preset: Preset;
  /** Whether the type of the integration says it, so that the request need not. */
  readonly isOwn: boolean;
  /** A draft of all actions, in place of those of the integration. */
  readonly actions?: object | undefined;
  /** Called with what the server refused of the draft, by the names of its fields, and with nothing before each try. */
  readonly onDraftRefused?: (fields: Readonly<Record<string, string>>) => void;
  /** Further fields, above the others. */
  readonly children?: ReactNode;
}

/** Says what a request of a tool would come to. Nothing is written, and what is typed stays where a try fails. */
export function TryRequest(props: TryRequestProps): JSX.Element {
  const { actions, children, integrationId, isOwn, onDraftRefused, preset } = props;
  const [request, setRequest] = useState<TriedRequest>(NO_REQUEST);
  const body = trialBody(request, { preset: isOwn ? undefined : preset.name, actions });
  const attempt = useMutation({
    mutationFn: async (tried: object) => {
      const path = `${integrationPath(integrationId)}/try`;
      return (await call<Answer<'try-integration'>>({ method: 'POST', path, body: tried })).data;
    },
    onError: (error) => onDraftRefused?.(refusedDraft(error)),
  });
  const { data, error, isPending, variables } = attempt;
  const isAsked = JSON.stringify(variables) === JSON.stringify(body);
  const fault = isAsked ? requestFault(error) : undefined;
  const result = useRef<HTMLHeadingElement>(null);
  // On a phone the result is below the form.
  useEffect(() => {
    if (data !== undefined) result.current?.focus();
  }, [data]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isPending) return;
    onDraftRefused?.({});
    attempt.mutate(body);
  };
  return (
    <>
      <form noValidate onSubmit={submit} aria-labelledby="try-request">
        <h2 id="try-request">Try a request</h2>
        <p>What a request of the tool would come to. Nothing is written, and no user is notified.</p>
        {children}
        <SampleField integrationId={integrationId} samples={preset.samples} onRequest={setRequest} />
        <TextArea
          label="Body of the request"
          hint="As the tool sends it, such as JSON."
          rows={10}
          spellCheck={false}
          value={request.raw}
          error={fault}
          onChange={({ target }) => {
            setRequest({ ...request, raw: target.value });
          }}
        />
        <div className={ui['row']}>
          <Button type="submit" look="primary" disabledReason={isPending ? 'The server is answering.' : undefined}>
            Try the request
          </Button>
        </div>
      </form>
      {error !== null && fault === undefined && <Problem error={error} />}
      {data !== undefined && (
        <section aria-labelledby="tried">
          <h3 id="tried" ref={result} tabIndex={-1}>
            What it would come to
          </h3>
          {!isAsked && <p role="note">Something was changed since. Try it again.</p>}
          <TrialItems trial={data} />
        </section>
      )}
    </>
  );
}
