/** Downloads CSV as a file, with a byte order mark, by which spreadsheets detect UTF-8. */
export function saveCsv(name: string, csv: string | Blob): void {
  const url = URL.createObjectURL(new Blob(['\uFEFF', csv], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
