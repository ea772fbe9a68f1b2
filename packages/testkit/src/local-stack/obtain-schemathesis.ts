import path from 'node:path';
import { filledOnce, type Say } from './downloads.ts';
import { installByPip } from './install-by-pip.ts';

const RELEASE = '4.32.5';

/** Exactly the tested versions. Some are built for each machine, so there is no digest that is valid for all. */
const REQUIREMENTS = `
schemathesis==${RELEASE}
anyio==4.16.0
certifi==2026.10.18
charset-normalizer==3.5.2
click==8.5.1
graphql-core==3.3.2
harfile==0.6.0
hypothesis==6.170.15
hypothesis-graphql==0.13.5
idna==3.20
iniconfig==2.3.1
jsonschema_rs==0.60.3
markdown-it-py==4.3.0
MarkupSafe==3.0.4
mdurl==0.1.2
packaging==26.3
pluggy==1.7.0
Pygments==2.21.0
pyrate-limiter==4.5.1
pytest==9.2.0
PyYAML==6.0.3
requests==2.34.2
rich==15.0.0
sortedcontainers==2.4.0
typing_extensions==4.16.0
urllib3==2.8.0
Werkzeug==3.1.9
`;

/**
 * Gives the folder with schemathesis and all that it imports. pip installs them once, apart from every other Python package of the
 * machine, and they are kept in `dir`. A Python with it in PYTHONPATH runs it as `-m schemathesis.cli`.
 *
 * @throws MissingPartError when Python 3 or its pip is missing, or pip cannot fetch it for that Python.
 */
export async function obtainSchemathesis(dir: string, say: Say): Promise<string> {
  return filledOnce(path.join(dir, `schemathesis-${RELEASE}`), async (folder) => {
    say(`schemathesis ${RELEASE}: downloading it (15 MB)`);
    await installByPip(folder, 'schemathesis', REQUIREMENTS);
  });
}
