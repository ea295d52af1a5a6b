/** The notes of a report for its reader, without those that explain why a field is null. */
export const toldNotes = (notes: readonly string[]): string[] =>
  notes.filter((note) => !note.includes(' is null'));
