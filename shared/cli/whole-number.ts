import { InvalidArgumentError } from "commander";

/** Parses the value of an option that takes a whole number in a range. @throws InvalidArgumentError, which names the range */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : -1;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}
