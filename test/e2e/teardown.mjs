/** After the last file: ends what the stack has in this process. */
export default async function teardown() {
  const { closeSharedStack } = await import('./src/stack/stack.ts');
  await closeSharedStack();
}
