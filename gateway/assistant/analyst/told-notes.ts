/** The notes of a report that say something to its reader: not those that explain why a field has no value. */
export const toldNotes = (notes: readonly string[]): string[] =>
  notes.filter((note) => !note.includes(' is null'));
