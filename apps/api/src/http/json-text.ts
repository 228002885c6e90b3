/** An answer's JSON, an object without `status`, as text that the database built: sent as it is. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
