import { useMutation } from '@tanstack/react-query';
import { type JSX, useState } from 'react';
import { announce } from '../shell/announcer.tsx';
import { draftsStore, keepDraft } from '../shell/unsaved.ts';
import { Button } from '../ui/button.tsx';
import { Instant } from '../ui/instant.tsx';
import { Modal } from '../ui/modal.tsx';
import { Problem } from '../ui/problem.tsx';
import ui from '../ui/ui.module.css';
import type { SetUp } from './queries.ts';
import { StepForm } from './step-form.tsx';
import { curlOf } from './steps.ts';
import styles from './set-up.module.css';
import { makeIntegration, replaceKey, type ShownKey } from './writes.ts';

interface IntegrationStepProps {
  readonly setUp: SetUp;
  readonly refused: string | undefined;
}

/** Where the key is kept until it is copied: so long the browser asks before the page is left. */
const KEY_PLACE = 'set-up new key';

function keptKey(): ShownKey | undefined {
  const apiKey = draftsStore.get().get(KEY_PLACE);
  return apiKey === undefined ? undefined : { apiKey };
}

/** Makes the first integration, and shows its key until it is copied and the page is left. */
export function IntegrationStep({ refused, setUp }: IntegrationStepProps): JSX.Element {
  const { integration, team } = setUp;
  const [key, setKey] = useState(keptKey);
  const [isAsked, setAsked] = useState(false);
  const show = (shown: ShownKey) => {
    keepDraft(KEY_PLACE, shown.apiKey);
    setKey(shown);
  };
  const replacing = useMutation({
    mutationFn: (id: string) => replaceKey(id),
    onSuccess: (replaced) => {
      show(replaced);
      setAsked(false);
      announce('The key was replaced.');
    },
  });
  return (
    <>
      {integration === undefined ? (
        <StepForm
          key={team?.id}
          defaults={{ name: team === undefined ? '' : `${team.name} API` }}
          fields={{ name: { label: 'Name of the integration', autoComplete: 'off' } }}
          action="Create the integration"
          done="The integration was created. Its key is on the page."
          disabledReason={refused}
          onSubmit={async ({ name }) => {
            if (team !== undefined) show(await makeIntegration(team, name));
          }}
        />
      ) : (
        key === undefined && (
          <>
            <p>{integration.name} has a key. The server shows a key once.</p>
            <Button
              disabledReason={refused}
              onClick={() => {
                setAsked(true);
              }}
            >
              Replace the key
            </Button>
            {isAsked && (
              <Modal
                title={`Replace the key of ${integration.name}?`}
                onClose={() => {
                  setAsked(false);
                }}
              >
                <p>
                  Tools that send alerts with the present key can do so for a while, and are refused after that. The
                  page says until when.
                </p>
                {replacing.error !== null && <Problem error={replacing.error} />}
                <div className={ui['row']}>
                  <Button
                    look="primary"
                    disabledReason={replacing.isPending ? 'The server is answering.' : undefined}
                    onClick={() => {
                      replacing.mutate(integration.id);
                    }}
                  >
                    Replace it
                  </Button>
                  <Button
                    onClick={() => {
                      setAsked(false);
                    }}
                  >
                    Keep it
                  </Button>
                </div>
              </Modal>
            )}
          </>
        )
      )}
      {key !== undefined && <Key shown={key} />}
    </>
  );
}

function Key({ shown }: { readonly shown: ShownKey }): JSX.Element {
  const { apiKey, previousKeyValidUntil } = shown;
  const command = curlOf(window.location.origin, apiKey);
  const [isRefused, setRefused] = useState(false);
  const copy = async (text: string, of: string) => {
    try {
      await navigator.clipboard.writeText(text);
      setRefused(false);
      keepDraft(KEY_PLACE, '');
      announce(`${of} was copied.`);
    } catch {
      setRefused(true);
    }
  };
  return (
    <>
      <p>
        The key is <code>{apiKey}</code>. It is shown this once: copy it now. This command sends an alert with it:
      </p>
      {previousKeyValidUntil !== undefined && (
        <p>
          The key before it is valid until <Instant at={previousKeyValidUntil} />: give the new one to all that use it.
        </p>
      )}
      <pre className={styles['command']} tabIndex={0} aria-label="Command">
        {command}
      </pre>
      <div className={ui['row']}>
        <Button onClick={() => void copy(apiKey, 'The key')}>Copy the key</Button>
        <Button onClick={() => void copy(command, 'The command')}>Copy the command</Button>
      </div>
      {isRefused && (
        <p role="alert" className={ui['error']}>
          The browser does not let the page copy. Select the text and copy it yourself.
        </p>
      )}
    </>
  );
}
