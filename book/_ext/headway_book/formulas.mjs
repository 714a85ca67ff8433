// Sets formulas with KaTeX: a line of JSON in, a line of JSON out, until the input ends.
import { createInterface } from "node:readline";

const { default: katex } = await import(process.argv[2]);

for await (const line of createInterface({ input: process.stdin })) {
  const { tex, alone } = JSON.parse(line);
  let answer;
  try {
    const options = { displayMode: alone, output: "htmlAndMathml", strict: "error" };
    answer = { html: katex.renderToString(tex, options) };
  } catch (error) {
    answer = { error: error.message };
  }
  console.log(JSON.stringify(answer));
}
