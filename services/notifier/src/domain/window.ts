/**
 * How many more messages of a method may be under way: those that fit into the window, less the places that other methods keep.
 * Half of the window is kept, in equal parts: so a method whose provider is silent never takes the places of another.
 */
export function placesFor<M>(
  method: M,
  {
    free,
    methods,
    underWay,
    window,
  }: {
    /** Places that nobody has taken. */
    readonly free: number;
    /** All that there are. */
    readonly methods: readonly M[];
    /** How many messages of each method are under way. */
    readonly underWay: ReadonlyMap<M, number>;
    /** All places. */
    readonly window: number;
  },
): number {
  const kept = Math.floor(window / (2 * methods.length));
  const others = methods.filter((each) => each !== method);
  const unused = others.reduce((sum, each) => sum + Math.max(0, kept - (underWay.get(each) ?? 0)), 0);
  return Math.max(0, free - unused);
}
