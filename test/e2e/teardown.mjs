/** After the last file: stops the part of the shared stack that runs in this process. */
export default async function teardown() {
  const { closeSharedStack } = await import('./src/stack/stack.ts');
  await closeSharedStack();
}
