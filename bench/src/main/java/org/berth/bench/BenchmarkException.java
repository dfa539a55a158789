package org.berth.bench;

/** A measurement could not be made; the sentence is for the person who runs it. */
final class BenchmarkException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BenchmarkException(String sentence) {
        super(sentence);
    }

    BenchmarkException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
