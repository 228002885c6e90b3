export interface TestRequest {
  readonly token?: string;
  /** Sent as `multipart/form-data`; `undefined` is left out. */
  readonly form?: Readonly<Record<string, string | number | undefined>>;
  /** Sent as JSON, instead of a form. */
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON, or the text where it is none. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into bodies of any shape
  readonly body: any;
}

export async function callApi(url: URL, method: string, request: TestRequest = {}): Promise<TestResponse> {
  const { token, form, json, signal } = request;
  const response = await fetch(url, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
    },
    body: json === undefined ? form && formOf(form) : JSON.stringify(json),
    redirect: 'manual',
    signal,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parsed(text) };
}

function formOf(fields: NonNullable<TestRequest['form']>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) form.append(name, String(value));
  }
  return form;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
