import { type JSX, useState } from 'react';
import { keepKey, keptKey } from '../integrations/key-store.ts';
import { Key } from '../integrations/key.tsx';
import { ReplaceKeyDialog } from '../integrations/replace-key-dialog.tsx';
import type { ShownKey } from '../integrations/write.ts';
import { PageLink } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { Button } from '../ui/button.tsx';
import type { SetUp } from './queries.ts';
import { StepForm } from './step-form.tsx';
import { makeIntegration } from './writes.ts';

interface IntegrationStepProps {
  readonly setUp: SetUp;
  readonly refused: string | undefined;
}

/** Where the key is kept until it is copied: so long the browser asks before the page is left. */
const KEY_PLACE = 'set-up new key';

/** Makes the first integration, and shows its key until it is copied and the page is left. */
export function IntegrationStep({ refused, setUp }: IntegrationStepProps): JSX.Element {
  const { integration, team } = setUp;
  const [key, setKey] = useState(() => keptKey(KEY_PLACE));
  const [isAsked, setAsked] = useState(false);
  const show = (shown: ShownKey) => {
    keepKey(KEY_PLACE, shown);
    setKey(shown);
  };
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
        <>
          <p>
            <PageLink to={paths.integration(integration.id)}>{integration.name}</PageLink> has a key. The server shows a
            key once. Its page says how to set up Alertmanager, Grafana and others.
          </p>
          {key === undefined && (
            <Button
              disabledReason={refused}
              onClick={() => {
                setAsked(true);
              }}
            >
              Replace the key
            </Button>
          )}
          {isAsked && (
            <ReplaceKeyDialog
              integration={integration}
              onReplaced={show}
              onClose={() => {
                setAsked(false);
              }}
            />
          )}
        </>
      )}
      {key !== undefined && <Key shown={key} place={KEY_PLACE} />}
    </>
  );
}
