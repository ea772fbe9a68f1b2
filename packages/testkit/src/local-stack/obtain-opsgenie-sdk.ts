import path from 'node:path';
import { filledOnce, type Say } from './downloads.ts';
import { installByPip } from './install-by-pip.ts';

const RELEASE = '2.1.5';

/** Exactly the tested bytes, about as old as the SDK. */
const REQUIREMENTS = `
opsgenie-sdk==${RELEASE} --hash=sha256:fe0af399030a91ec5755ecfb899965bf18fcb46e17fd2d3a4d71fa68999947e9
certifi==2024.12.14 --hash=sha256:1275f7a45be9464efc1173084eaa30f866fe2e47d389406136d332ed4967ec56
python-dateutil==2.9.0.post0 --hash=sha256:a8b2bc7bffae282281c8140a97d3aa9c14da0b136dfe83f850eea9a5f7470427
six==1.17.0 --hash=sha256:4721f391ed90541fddacab5acf947aa0d3dc7d27b2e1e8eda2be8970586c3274
tenacity==8.5.0 --hash=sha256:b594c2a5945830c267ce6b79a166228323ed52718f30302c1359836112346687
urllib3==1.26.20 --hash=sha256:0ed14ccfbf1c30a9072c7ca157e4319b70d65f623e91e7b32fadb2853431016e
`;

/**
 * Gives the folder with the Python SDK and all that it imports. pip installs them once, apart from every other Python package of the
 * machine, and they are kept in `dir`. A Python with it in PYTHONPATH uses nothing else.
 *
 * @throws MissingPartError when Python 3 or its pip is missing, or pip cannot reach its index.
 */
export async function obtainOpsgenieSdk(dir: string, say: Say): Promise<string> {
  return filledOnce(path.join(dir, `opsgenie-sdk-${RELEASE}`), async (folder) => {
    say(`Python SDK ${RELEASE}: downloading it (1 MB)`);
    await installByPip(folder, 'the Python SDK', REQUIREMENTS);
  });
}
