import { type JSX, useState } from 'react';
import { SelectField } from '../ui/select-field.tsx';
import ui from '../ui/ui.module.css';
import { CopyButtons } from './copy-text.tsx';
import styles from './integrations.module.css';
import type { Integration } from './queries.ts';
import { setUpTexts, YOUR_KEY } from './set-up-texts.ts';

interface SetUpSectionProps {
  readonly integration: Integration;
  /** The key that was just shown. */
  readonly apiKey: string | undefined;
}

/** How tools send alerts to an integration: a text to copy for each. */
export function SetUpSection({ apiKey, integration }: SetUpSectionProps): JSX.Element {
  const texts = setUpTexts({ ...integration, origin: window.location.origin, apiKey });
  const [tool, setTool] = useState(texts[0]?.tool ?? '');
  const shown = texts.find((each) => each.tool === tool);
  return (
    <section aria-labelledby="set-up">
      <h2 id="set-up">Set up what sends alerts</h2>
      {shown === undefined ? (
        <p>It posts what happens to alerts. Tools send alerts to integrations of other types.</p>
      ) : (
        <>
          {texts.length > 1 && (
            <div className={styles['tool']}>
              <SelectField
                label="Tool"
                value={tool}
                options={texts.map((each) => ({ value: each.tool, name: each.tool }))}
                onValue={setTool}
              />
            </div>
          )}
          <p>{shown.where}</p>
          <pre className={styles['text']} tabIndex={0} aria-label={`Text for ${shown.tool}`}>
            {shown.text}
          </pre>
          <CopyButtons texts={{ text: shown.text }} />
          {shown.text.includes(YOUR_KEY) && (
            <p>Put the key in place of {YOUR_KEY}. The server shows a key once; Replace the key makes a new one.</p>
          )}
          {shown.notes.map((note) => (
            <p key={note} className={ui['hint']}>
              {note}
            </p>
          ))}
        </>
      )}
    </section>
  );
}
