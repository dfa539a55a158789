package org.berth.yaml;

import java.io.StringReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.placement.Wire;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * One value of a YAML document while it is read strictly: knows its place in the document and its key path, which every
 * refusal says. Not for several threads.
 */
public final class YamlNode {
    private static final int MAX_DEPTH = 32;

    /** What a file of 1 MiB may hold. */
    private static final int MOST_CHARACTERS = 1_048_576;

    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)");
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,12})(B|KiB|MiB|GiB)?");
    private static final Pattern DECIMAL = Pattern.compile("[0-9]{1,6}(\\.[0-9]{1,3})?");
    private static final Pattern WHOLE = Pattern.compile("[0-9]{1,12}");

    private final Document document;
    private final String path;
    private final Node node;

    /** What refusals call the document, and their code. */
    private record Document(String name, ProblemCode code) {}

    private YamlNode(Document document, String path, Node node) {
        this.document = document;
        this.path = path;
        this.node = node;
    }

    /**
     * The root of {@code yaml}.
     *
     * @param name what refusals call the document, such as {@code host policy}
     * @param code the code of every refusal
     */
    public static YamlNode parse(String name, ProblemCode code, String yaml) {
        return parse(name, code, yaml, MOST_CHARACTERS);
    }

    /** As {@link #parse(String, ProblemCode, String)}, of at most {@code most} characters. */
    public static YamlNode parse(String name, ProblemCode code, String yaml, int most) {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(true);
        options.setCodePointLimit(most);
        options.setMaxAliasesForCollections(0);
        options.setNestingDepthLimit(MAX_DEPTH);
        Node node;
        try {
            node = new Yaml(new SafeConstructor(options)).compose(new StringReader(yaml));
        } catch (MarkedYAMLException e) {
            String place = e.getProblemMark() == null
                    ? ""
                    : ", line " + (e.getProblemMark().getLine() + 1) + ", column "
                            + (e.getProblemMark().getColumn() + 1);
            throw new BerthException(code, name + place + ": not well-formed YAML, " + e.getProblem(), e);
        } catch (YAMLException e) {
            throw new BerthException(
                    code,
                    name + ": it must be YAML of at most " + most
                            + " characters, without aliases of lists and mappings",
                    e);
        }
        if (node == null) {
            throw new BerthException(code, name + ", line 1, column 1: the file must be a mapping");
        }
        return new YamlNode(new Document(name, code), "", node);
    }

    /** A refusal that says where: {@code rule} follows the key path. */
    public BerthException refuse(String rule) {
        return refuse(node.getStartMark(), path, rule);
    }

    private BerthException refuse(Mark mark, String path, String rule) {
        return new BerthException(
                document.code(),
                document.name() + ", line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1) + ": "
                        + (path.isEmpty() ? "the file" : path) + " " + rule);
    }

    /** The values by key; a key that is repeated or no text is refused. */
    public Map<String, YamlNode> entries() {
        if (!(node instanceof MappingNode mapping)) {
            throw refuse("must be a mapping");
        }
        Map<String, YamlNode> entries = new LinkedHashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            Node key = tuple.getKeyNode();
            if (!(key instanceof ScalarNode scalar) || !key.getTag().equals(Tag.STR)) {
                throw refuse(key.getStartMark(), path, "must have text keys");
            }
            String name = scalar.getValue();
            String below = path.isEmpty() ? name : path + "." + name;
            if (entries.put(name, new YamlNode(document, below, tuple.getValueNode())) != null) {
                throw refuse(key.getStartMark(), below, "is given twice");
            }
        }
        return entries;
    }

    /** The values by key, each key one of {@code known}. */
    public Map<String, YamlNode> entries(Set<String> known) {
        Map<String, YamlNode> entries = entries();
        for (Map.Entry<String, YamlNode> entry : entries.entrySet()) {
            if (!known.contains(entry.getKey())) {
                throw refuse(
                        keyMark(entry.getKey()),
                        entry.getValue().path,
                        "is not a known key here; known are "
                                + known.stream().sorted().collect(Collectors.joining(", ")));
            }
        }
        return entries;
    }

    private Mark keyMark(String name) {
        for (NodeTuple tuple : ((MappingNode) node).getValue()) {
            if (((ScalarNode) tuple.getKeyNode()).getValue().equals(name)) {
                return tuple.getKeyNode().getStartMark();
            }
        }
        return node.getStartMark();
    }

    /** Each entry read by {@code read}, order kept. */
    public <V> Map<String, V> mapped(Function<YamlNode, V> read, Pattern key, String keyRule) {
        Map<String, V> values = new LinkedHashMap<>();
        entries().forEach((name, value) -> {
            if (!key.matcher(name).matches()) {
                throw refuse(keyMark(name), value.path, keyRule);
            }
            values.put(name, read.apply(value));
        });
        return values;
    }

    public List<YamlNode> items() {
        if (!(node instanceof SequenceNode sequence)) {
            throw refuse("must be a list");
        }
        List<YamlNode> items = new ArrayList<>();
        for (Node each : sequence.getValue()) {
            items.add(new YamlNode(document, path + "[" + items.size() + "]", each));
        }
        return items;
    }

    public boolean isNull() {
        return node.getTag().equals(Tag.NULL);
    }

    public String text() {
        String text = scalar(Tag.STR, "must be text (in quotes where it looks like a number or a truth value)");
        if (text.indexOf('\0') >= 0) {
            throw refuse("must not contain NUL");
        }
        return text;
    }

    public String text(Pattern form, String rule) {
        String text = text();
        if (!form.matcher(text).matches()) {
            throw refuse(rule);
        }
        return text;
    }

    public boolean flag() {
        String text = scalar(Tag.BOOL, "must be true or false");
        if (!text.equals("true") && !text.equals("false")) {
            throw refuse("must be true or false");
        }
        return text.equals("true");
    }

    public int whole(int least, int most) {
        String rule = "must be a whole number from " + least + " to " + most;
        String text = scalar(Tag.INT, rule);
        if (!WHOLE.matcher(text).matches() || Long.parseLong(text) < least || Long.parseLong(text) > most) {
            throw refuse(rule);
        }
        return Integer.parseInt(text);
    }

    /** A whole number and a unit: ms, s, m, h or d. */
    public Duration duration(Duration least, Duration most) {
        String rule = "must be a duration such as 500ms, 30s, 5m, 2h or 7d, from " + least.toMillis() + " ms to "
                + most.toMillis() + " ms";
        Matcher matcher = DURATION.matcher(scalar(Tag.STR, rule));
        if (!matcher.matches()) {
            throw refuse(rule);
        }
        long count = Long.parseLong(matcher.group(1));
        Duration duration = switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(count);
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            default -> Duration.ofDays(count);
        };
        if (duration.compareTo(least) < 0 || duration.compareTo(most) > 0) {
            throw refuse(rule);
        }
        return duration;
    }

    /** Bytes: a whole number, or one with the unit B, KiB, MiB or GiB. */
    public int size(int least, int most) {
        return (int) bytes(least, most);
    }

    /** As {@link #size}, of any size. */
    public long bytes(long least, long most) {
        String rule = "must be a size such as 65536, 256KiB or 1MiB, from " + least + " to " + most + " bytes";
        if (!(node instanceof ScalarNode scalar)) {
            throw refuse(rule);
        }
        Matcher matcher = SIZE.matcher(scalar.getValue());
        if (!matcher.matches()
                || !(node.getTag().equals(Tag.STR) || node.getTag().equals(Tag.INT))) {
            throw refuse(rule);
        }
        long unit = switch (matcher.group(2)) {
            case "KiB" -> 1024;
            case "MiB" -> 1_048_576;
            case "GiB" -> 1_073_741_824;
            case null, default -> 1;
        };
        BigInteger bytes = BigInteger.valueOf(Long.parseLong(matcher.group(1))).multiply(BigInteger.valueOf(unit));
        if (bytes.compareTo(BigInteger.valueOf(least)) < 0 || bytes.compareTo(BigInteger.valueOf(most)) > 0) {
            throw refuse(rule);
        }
        return bytes.longValueExact();
    }

    /** A number such as 2 or 1.5, in thousandths. */
    public int thousandths(int least, int most) {
        BigDecimal lowest = BigDecimal.valueOf(least, 3).stripTrailingZeros();
        BigDecimal highest = BigDecimal.valueOf(most, 3).stripTrailingZeros();
        String rule = "must be a number from " + lowest.toPlainString() + " to " + highest.toPlainString()
                + " with at most three decimals";
        boolean number = node.getTag().equals(Tag.INT) || node.getTag().equals(Tag.FLOAT);
        if (!number
                || !(node instanceof ScalarNode scalar)
                || !DECIMAL.matcher(scalar.getValue()).matches()) {
            throw refuse(rule);
        }
        int value = new BigDecimal(scalar.getValue()).movePointRight(3).intValueExact();
        if (value < least || value > most) {
            throw refuse(rule);
        }
        return value;
    }

    public <E extends Enum<E>> E word(Class<E> type) {
        String rule =
                "must be " + Stream.of(type.getEnumConstants()).map(Wire::name).collect(Collectors.joining(" or "));
        return Wire.parse(type, scalar(Tag.STR, rule)).orElseThrow(() -> refuse(rule));
    }

    private String scalar(Tag tag, String rule) {
        if (!(node instanceof ScalarNode scalar) || !node.getTag().equals(tag)) {
            throw refuse(rule);
        }
        return scalar.getValue();
    }

    /** The value of {@code name} read by {@code how}, or {@code absent}. {@code keys}: of {@link #entries(Set)}. */
    public static <V> V read(Map<String, YamlNode> keys, String name, Function<YamlNode, V> how, V absent) {
        return keys.containsKey(name) ? how.apply(keys.get(name)) : absent;
    }

    /** The value of {@code name}, which must be there. */
    public <V> V required(Map<String, YamlNode> keys, String name, Function<YamlNode, V> how) {
        if (!keys.containsKey(name)) {
            throw refuse("must have " + name);
        }
        return how.apply(keys.get(name));
    }
}
